import type { ApiKey } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useMemberNames } from '../../api/member-names.ts'
import { useList } from '../../api/use-list.ts'
import { apiKeys as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import parts from '../../ui/parts.module.css'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import ui from '../../ui/ui.module.css'
import { CreateDialog } from './create-dialog.tsx'

type OpenDialog = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey }

export function Screen(): ReactElement {
  const address = useListAddress([])
  const result = useList('api-keys', address, (query, options) => api.apiKeys.list(query, options))
  const mayWrite = useMay('api-keys:write')
  const [opened, setOpened] = useState<OpenDialog>()
  const [secret, setSecret] = useState<string>()
  const onClose = (): void => setOpened(undefined)
  const create = mayWrite && (
    <Button isPrimary onClick={() => setOpened({ what: 'create' })}>
      {text.create}
    </Button>
  )
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={useColumns(mayWrite, setOpened)}
        keyOf={({ api_key_id }) => api_key_id}
        empty={{ title: text.empty, text: text.emptyText, ...(create && { action: create }) }}
        aside={result.data && result.data.data.length > 0 && create}
      />
      {opened?.what === 'create' && <CreateDialog onClose={onClose} onSecret={setSecret} />}
      {opened?.what === 'rotate' && (
        <RotateDialog apiKey={opened.key} onClose={onClose} onSecret={setSecret} />
      )}
      {opened?.what === 'revoke' && <RevokeDialog apiKey={opened.key} onClose={onClose} />}
      {secret !== undefined && (
        <SecretDialog
          title={text.secretTitle}
          text={text.secretText}
          label={text.secretLabel}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

const tones: Readonly<Record<string, Tone>> = { active: 'good', expiring: 'wait' }

function useColumns(mayWrite: boolean, onOpen: (opened: OpenDialog) => void): readonly Column<ApiKey>[] {
  const { user_id: ownId } = useIdentity().me
  const nameOfMember = useMemberNames()
  const columns: readonly Column<ApiKey>[] = [
    {
      label: text.name,
      cell: ({ name, prefix }) => (
        <span className={parts.lines}>
          <span className={ui.ellipsis}>{name}</span>
          <span className={`${parts.mono} ${ui.muted}`}>{prefix}…</span>
        </span>
      ),
    },
    {
      label: text.owner,
      cell: ({ user_id, scopes, allowed_ips: networks }) => (
        <span className={parts.lines}>
          <span className={ui.ellipsis}>{user_id === ownId ? text.you : nameOfMember(user_id)}</span>
          <span className={parts.small} title={scopes?.join('\n')}>
            {scopes === null ? text.allScopes : text.someScopes(scopes.length)}
          </span>
          {networks && (
            <span className={parts.small} title={networks.join('\n')}>
              {text.fromSome(networks.length)}
            </span>
          )}
        </span>
      ),
    },
    {
      label: text.status,
      cell: ({ status, expires_at }) => (
        <span className={parts.lines}>
          <span>
            <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />
          </span>
          {expires_at !== null && status !== 'revoked' && (
            <span className={parts.small}>
              {status === 'expired' ? text.since : text.until} <Moment at={expires_at} />
            </span>
          )}
        </span>
      ),
    },
    {
      label: text.lastUsed,
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span className={ui.muted}>{text.never}</span> : <Moment at={last_used_at} />,
    },
  ]
  if (!mayWrite) return columns
  return [
    ...columns,
    {
      label: text.actions,
      isEnd: true,
      cell: (key) => <KeyActions apiKey={key} isOwn={key.user_id === ownId} onOpen={onOpen} />,
    },
  ]
}

interface KeyActionsProps {
  apiKey: ApiKey
  isOwn: boolean
  onOpen: (opened: OpenDialog) => void
}

/** Only the owner may see a new key, so only the owner can rotate it. */
const KeyActions = ({ apiKey, isOwn, onOpen }: KeyActionsProps): ReactElement => (
  <span className={parts.rowActions}>
    {apiKey.status === 'active' && isOwn && (
      <Button
        className={ui.small}
        aria-label={text.rotateOf(apiKey.name)}
        onClick={() => onOpen({ what: 'rotate', key: apiKey })}
      >
        {text.rotate}
      </Button>
    )}
    {(apiKey.status === 'active' || apiKey.status === 'expiring') && (
      <Button
        className={ui.small}
        aria-label={text.revokeOf(apiKey.name)}
        onClick={() => onOpen({ what: 'revoke', key: apiKey })}
      >
        {text.revoke}
      </Button>
    )}
  </span>
)

interface KeyDialogProps {
  apiKey: ApiKey
  onClose: () => void
}

function RotateDialog({
  apiKey,
  onClose,
  onSecret,
}: KeyDialogProps & { onSecret: (secret: string) => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.rotateTitle}
      text={text.rotateText}
      submitLabel={text.rotate}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { overlap_seconds: Number(field('overlap_seconds')) }
        const made = await api.apiKeys.rotate(apiKey.api_key_id, body, { idempotencyKey })
        onSecret(made.api_key)
        await client.invalidateQueries({ queryKey: ['api-keys'] })
      }}
    >
      <SelectField name="overlap_seconds" label={text.overlap} options={text.overlaps} defaultValue="86400" />
    </FormDialog>
  )
}

function RevokeDialog({ apiKey, onClose }: KeyDialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.revokeTitle}
      text={text.revokeText(apiKey.name)}
      submitLabel={text.revoke}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.apiKeys.revoke(apiKey.api_key_id, { idempotencyKey })
        showToast(text.revoked)
        await client.invalidateQueries({ queryKey: ['api-keys'] })
      }}
    />
  )
}
