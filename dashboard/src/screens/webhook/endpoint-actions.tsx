import type { Webhook, WebhooksTestBody } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { webhooks as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import parts from '../../ui/parts.module.css'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { EndpointForm } from '../webhooks/endpoint-form.tsx'
import { useEventOptions } from '../webhooks/parts.tsx'

type OpenDialog = 'edit' | 'test' | 'rotate' | 'recover' | 'remove'

interface DialogProps {
  endpoint: Webhook
  onClose: () => void
}

export function EndpointActions({ endpoint }: { endpoint: Webhook }): ReactElement {
  const client = useQueryClient()
  const [opened, setOpened] = useState<OpenDialog>()
  const [secret, setSecret] = useState<string>()
  const isActive = endpoint.status === 'active'
  const change = useMutation({
    mutationFn: () => api.webhooks.update(endpoint.webhook_id, { status: isActive ? 'paused' : 'active' }),
    onSuccess: () => {
      showToast(isActive ? text.paused : text.resumed)
      return client.invalidateQueries({ queryKey: ['webhooks'] })
    },
    onError: (failure) => showToast(failure.message),
  })
  const dialog = { endpoint, onClose: () => setOpened(undefined) }
  return (
    <div className={parts.actions}>
      <Button onClick={() => setOpened('test')}>{text.test}</Button>
      <Button onClick={() => setOpened('edit')}>{text.edit}</Button>
      <Button onClick={() => setOpened('rotate')}>{text.rotate}</Button>
      <Button disabled={change.isPending} onClick={() => change.mutate()}>
        {isActive ? text.pause : text.resume}
      </Button>
      <Button onClick={() => setOpened('recover')}>{text.recover}</Button>
      <Button onClick={() => setOpened('remove')}>{text.remove}</Button>
      {opened === 'test' && <TestDialog {...dialog} />}
      {opened === 'edit' && <EditDialog {...dialog} />}
      {opened === 'recover' && <RecoverDialog {...dialog} />}
      {opened === 'remove' && <RemoveDialog {...dialog} />}
      {opened === 'rotate' && (
        <FormDialog
          title={text.rotateTitle}
          text={text.rotateText}
          submitLabel={text.rotate}
          onClose={dialog.onClose}
          onSubmit={async ({ idempotencyKey }) => {
            setSecret((await api.webhooks.rotateSecret(endpoint.webhook_id, { idempotencyKey })).secret_key)
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={text.secretTitle}
          text={text.secretText}
          label={text.secretLabel}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  )
}

function EditDialog({ endpoint, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <EndpointForm
      title={text.editTitle}
      submitLabel={text.save}
      endpoint={endpoint}
      onClose={onClose}
      onSubmit={async (body, idempotencyKey) => {
        await api.webhooks.update(endpoint.webhook_id, body, { idempotencyKey })
        showToast(text.saved)
        await client.invalidateQueries({ queryKey: ['webhooks'] })
      }}
    />
  )
}

function TestDialog({ endpoint, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const options = useEventOptions()
  return (
    <FormDialog
      title={text.testTitle}
      text={text.testText}
      submitLabel={text.test}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const event_type = field('event_type') as WebhooksTestBody['event_type'] // the options come from the catalogue
        await api.webhooks.test(endpoint.webhook_id, { event_type }, { idempotencyKey })
        showToast(text.tested)
        await client.invalidateQueries({ queryKey: ['deliveries'] })
      }}
    >
      <SelectField name="event_type" label={text.testType} options={options} />
    </FormDialog>
  )
}

const dayMs = 86_400_000

/** The value of a datetime-local input, in the person's time zone. */
const localTime = (ms: number): string => {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

function RecoverDialog({ endpoint, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const [initial] = useState(() => localTime(Date.now() - dayMs))
  return (
    <FormDialog
      title={text.recoverTitle}
      text={text.recoverText}
      submitLabel={text.recover}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const since = new Date(field('since')).toISOString()
        const { replayed } = await api.webhooks.recover(endpoint.webhook_id, { since }, { idempotencyKey })
        showToast(text.recovered(replayed))
        await client.invalidateQueries({ queryKey: ['deliveries'] })
      }}
    >
      <TextField
        name="since"
        label={text.recoverSince}
        type="datetime-local"
        required
        defaultValue={initial}
      />
    </FormDialog>
  )
}

function RemoveDialog({ endpoint, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <FormDialog
      title={text.removeTitle}
      text={text.removeText}
      submitLabel={text.remove}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.webhooks.delete(endpoint.webhook_id, { idempotencyKey })
        showToast(text.removed)
        await navigate(paths.webhooks)
        await client.invalidateQueries({ queryKey: ['webhooks'], exact: true })
      }}
    />
  )
}
