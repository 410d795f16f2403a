import type { ApiKeysCreateBody } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { apiKeys as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { Checks } from '../../ui/checks.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

interface CreateDialogProps {
  onClose: () => void
  onSecret: (secret: string) => void
}

export function CreateDialog({ onClose, onSecret }: CreateDialogProps): ReactElement {
  const client = useQueryClient()
  const { permissions } = useIdentity().me
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set())
  return (
    <FormDialog
      title={text.createTitle}
      text={text.createText}
      submitLabel={text.create}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const expiry = field('expires_at')
        const allowedIps = field('allowed_ips')
          .split(/[\s,;]+/)
          .filter((network) => network !== '')
        const body: ApiKeysCreateBody = {
          name: field('name'),
          // The options are the person's own permissions.
          ...(scopes.size > 0 && { scopes: [...scopes] as NonNullable<ApiKeysCreateBody['scopes']> }),
          ...(allowedIps.length > 0 && { allowed_ips: allowedIps }),
          ...(expiry !== '' && { expires_at: new Date(`${expiry}T23:59:59`).toISOString() }),
        }
        const made = await api.apiKeys.create(body, { idempotencyKey })
        onSecret(made.api_key)
        await client.invalidateQueries({ queryKey: ['api-keys'] })
      }}
    >
      <TextField name="name" label={text.name} hint={text.nameHint} required maxLength={100} />
      <Checks
        legend={text.scopes}
        hint={text.scopesHint}
        options={permissions}
        chosen={scopes}
        onChange={setScopes}
      />
      <TextField name="allowed_ips" label={text.allowedIps} hint={text.allowedIpsHint} maxLength={2000} />
      <TextField name="expires_at" label={text.expiry} hint={text.expiryHint} type="date" />
    </FormDialog>
  )
}
