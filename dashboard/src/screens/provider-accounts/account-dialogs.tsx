import type { ProviderAccount, ProviderAccountsCreateBody } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { accounts as text } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useProviderCatalog } from '../routing/add-dialog.tsx'
import { CredentialFields, readCredentials } from './credential-fields.tsx'

/** Where change control is on, such a change needs a second person's approval. */
const showOutcome = (answer: object, done: string): void =>
  showToast('request_id' in answer ? text.held : done)

export function AddAccountDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const { org_id } = useIdentity().me
  const isOperator = useMay('platform:write')
  const catalog = (useProviderCatalog().data ?? []).filter((entry) => entry.credential_fields.length > 0)
  const [chosen, setChosen] = useState<string>()
  const entry = catalog.find(({ provider }) => provider === chosen) ?? catalog[0]
  return (
    <FormDialog
      title={text.addTitle}
      text={text.addText}
      submitLabel={text.store}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          provider: entry?.provider,
          label: field('label'),
          org_id: isOperator ? null : org_id,
          credentials: readCredentials(entry?.credential_fields ?? [], field),
        } as ProviderAccountsCreateBody // the provider comes from the catalogue
        showOutcome(await api.providerAccounts.create(body, { idempotencyKey }), text.stored)
        await client.invalidateQueries({ queryKey: ['provider-accounts'] })
      }}
    >
      <SelectField
        name="provider"
        label={text.provider}
        options={Object.fromEntries(catalog.map(({ provider }) => [provider, provider]))}
        value={entry?.provider ?? ''}
        onChange={({ target }) => setChosen(target.value)}
      />
      <TextField name="label" label={text.label} hint={text.labelHint} required maxLength={100} />
      {entry && <CredentialFields key={entry.provider} fields={entry.credential_fields} />}
    </FormDialog>
  )
}

interface AccountDialogProps {
  account: ProviderAccount
  onClose: () => void
}

export function ReplaceDialog({ account, onClose }: AccountDialogProps): ReactElement {
  const client = useQueryClient()
  const entry = useProviderCatalog().data?.find(({ provider }) => provider === account.provider)
  const fields = entry?.credential_fields ?? []
  return (
    <FormDialog
      title={`${text.replaceTitle}: ${account.label}`}
      text={text.replaceText}
      submitLabel={text.store}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = { credentials: readCredentials(fields, field) }
        showOutcome(
          await api.providerAccounts.setCredentials(account.account_id, body, { idempotencyKey }),
          text.stored,
        )
        await client.invalidateQueries({ queryKey: ['provider-accounts'] })
      }}
    >
      <CredentialFields fields={fields} />
    </FormDialog>
  )
}

export function RetireDialog({ account, onClose }: AccountDialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.retireTitle}
      text={text.retireText}
      submitLabel={text.retire}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.providerAccounts.update(account.account_id, { status: 'retired' }, { idempotencyKey })
        showToast(text.retired)
        await client.invalidateQueries({ queryKey: ['provider-accounts'] })
      }}
    />
  )
}
