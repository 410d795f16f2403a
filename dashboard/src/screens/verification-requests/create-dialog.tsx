import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { verificationRequests } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

const { form: text, targets, types } = verificationRequests

interface CreateDialogProps {
  paymentId: string
  onClose: () => void
}

/** The sender and the beneficiary come from the payment, so that no one else is asked by mistake. */
export function CreateDialog({ paymentId, onClose }: CreateDialogProps): ReactElement {
  const client = useQueryClient()
  const { user_id: me } = useIdentity().me
  return (
    <FormDialog
      title={text.title}
      text={text.text}
      submitLabel={text.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const payment = await api.payments.get(field('transaction_id'))
        const target = targetOf(field('target_type'))
        const message = field('message')
        const body = {
          user_id: payment.user_id,
          target_type: target,
          transaction_id: payment.payment_id,
          verification_type: field('verification_type') === 'nin' ? ('nin' as const) : ('bvn' as const),
          triggered_by: me,
          ...(target !== 'sender' &&
            payment.beneficiary_id !== '' && {
              beneficiary_id: payment.beneficiary_id,
            }),
          ...(target !== 'beneficiary' && { sender_id: payment.user_id }),
          ...(message !== '' && { message }),
        }
        const { all_success: isSent } = await api.verificationRequests.create(body, { idempotencyKey })
        showToast(isSent ? text.done : text.someFailed)
        await client.invalidateQueries({ queryKey: ['verification-requests'] })
      }}
    >
      <TextField
        name="transaction_id"
        label={text.payment}
        hint={text.paymentHint}
        required
        maxLength={36}
        defaultValue={paymentId}
      />
      <SelectField name="target_type" label={text.target} options={targets} />
      <SelectField name="verification_type" label={text.type} options={types} />
      <AreaField name="message" label={text.message} hint={text.messageHint} maxLength={1000} />
    </FormDialog>
  )
}

const targetOf = (value: string): 'sender' | 'beneficiary' | 'both' =>
  value === 'beneficiary' || value === 'both' ? value : 'sender'
