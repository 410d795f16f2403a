import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { virtualAccounts } from '../../messages/generated/texts.ts'
import { virtualAccountPath } from '../../paths.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { CodeField } from '../../ui/money-fields.tsx'

const { openForm: text } = virtualAccounts

export function OpenDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { org_id, user_id } = useIdentity().me
  return (
    <FormDialog
      title={text.title}
      text={text.text}
      submitLabel={text.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const [customer, name] = [field('customer_id'), field('org_name')]
        const body = {
          org_id,
          user_id,
          currency: field('currency').toUpperCase(),
          ...(customer !== '' && { customer_id: customer }),
          ...(name !== '' && { org_name: name }),
        }
        const opened = await api.virtualAccounts.create(body, { idempotencyKey })
        showToast(text.done)
        await client.invalidateQueries({ queryKey: ['virtual-accounts'] })
        await navigate(virtualAccountPath(opened.account_id))
      }}
    >
      <CodeField name="currency" label={text.currency} hint={text.currencyHint} length={3} />
      <TextField name="customer_id" label={text.customer} hint={text.customerHint} maxLength={200} />
      <TextField name="org_name" label={text.name} hint={text.nameHint} maxLength={200} />
    </FormDialog>
  )
}
