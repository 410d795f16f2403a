import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { paymentLinks as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

export function CreateLinkDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { me } = useIdentity()
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.form.title}
      text={text.form.text}
      submitLabel={text.form.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const amount = field('amount')
        const reference = field('client_reference')
        await api.paymentLinks.create(
          me.org_id,
          {
            ...(amount === '' ? { amount_type: 'open' } : { amount }),
            currency: field('currency').toUpperCase(),
            country: field('country').toUpperCase(),
            description: field('description'),
            ...(reference !== '' && { client_reference: reference }),
          },
          { idempotencyKey },
        )
        showToast(text.form.done)
        await client.invalidateQueries({ queryKey: ['payment-links'] })
      }}
    >
      <TextField name="amount" label={text.form.amount} hint={text.form.amountHint} inputMode="decimal" />
      <TextField name="currency" label={text.form.currency} required minLength={3} maxLength={3} />
      <TextField
        name="country"
        label={text.form.country}
        hint={text.form.countryHint}
        required
        minLength={2}
        maxLength={2}
      />
      <TextField name="description" label={text.form.description} required maxLength={200} />
      <TextField name="client_reference" label={text.form.reference} maxLength={200} />
    </FormDialog>
  )
}
