import type { PaymentRecord } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { payment } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { paymentKey } from './use-payment.ts'

const { actions, approveDialog, cancelDialog, refund, rejectDialog, resendDialog } = payment

interface DialogProps {
  record: PaymentRecord
  onClose: () => void
}

/** Shows what was done, and reloads the payment. */
function useDone({ payment_id }: PaymentRecord): (text: string) => Promise<void> {
  const client = useQueryClient()
  return (text) => {
    showToast(text)
    return client.invalidateQueries({ queryKey: paymentKey(payment_id) })
  }
}

export function RefundDialog({ record, onClose }: DialogProps): ReactElement {
  const done = useDone(record)
  const targetCurrency = record.target_currency ?? record.currency
  const isExchanged = targetCurrency !== record.currency
  return (
    <FormDialog
      title={refund.title}
      subject={`refund ${record.payment_id}`}
      text={refund.text}
      submitLabel={refund.submit}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const amount = field('amount')
        const body = {
          reason: field('reason'),
          ...(amount !== '' && { amount, ...(isExchanged && { currency: field('currency') }) }),
        }
        await api.refunds.create(record.payment_id, body, { idempotencyKey })
        await done(refund.done)
      }}
    >
      <TextField
        name="amount"
        label={isExchanged ? refund.amount : `${refund.amount} (${record.currency})`}
        hint={refund.amountHint}
        inputMode="decimal"
      />
      {isExchanged && (
        <SelectField
          name="currency"
          label={refund.currency}
          hint={refund.currencyHint}
          options={{ [record.currency]: record.currency, [targetCurrency]: targetCurrency }}
        />
      )}
      <AreaField name="reason" label={refund.reason} required maxLength={200} />
    </FormDialog>
  )
}

export function CancelDialog({ record, onClose }: DialogProps): ReactElement {
  const done = useDone(record)
  return (
    <FormDialog
      title={cancelDialog.title}
      subject={`cancel ${record.payment_id}`}
      text={cancelDialog.text}
      submitLabel={cancelDialog.submit}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.payments.cancel(record.payment_id, { idempotencyKey })
        await done(actions.canceled)
      }}
    />
  )
}

export function ResendDialog({
  record,
  eventIds,
  onClose,
}: DialogProps & { eventIds: readonly string[] }): ReactElement {
  const done = useDone(record)
  return (
    <FormDialog
      title={resendDialog.title}
      text={resendDialog.text}
      submitLabel={resendDialog.submit}
      onClose={onClose}
      onSubmit={async () => {
        let count = 0
        // Events are resent one by one, so that receivers get them in order.
        for (const eventId of eventIds) count += (await api.events.replay(eventId)).deliveries.length
        await done(actions.resent(count))
      }}
    />
  )
}

export function ReviewDialog({
  record,
  decision,
  onClose,
}: DialogProps & { decision: 'approve' | 'reject' }): ReactElement {
  const done = useDone(record)
  const isApproval = decision === 'approve'
  const words = isApproval ? approveDialog : rejectDialog
  return (
    <FormDialog
      title={words.title}
      subject={`${decision} ${record.payment_id}`}
      text={words.text}
      submitLabel={words.submit}
      isDangerous={!isApproval}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const comments = field('comments')
        const body = { decision, ...(comments !== '' && { comments }) }
        await api.payments.review(record.payment_id, body, { idempotencyKey })
        await done(isApproval ? actions.approved : actions.rejected)
      }}
    >
      {isApproval ? (
        <TextField name="comments" label={words.comment} maxLength={500} />
      ) : (
        <AreaField name="comments" label={words.comment} required maxLength={500} />
      )}
    </FormDialog>
  )
}
