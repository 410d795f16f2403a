import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { exception as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { formatMoney } from '../../ui/format.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useSettled, type ActionProps } from './use-settled.ts'

export function AskDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.ask.title}
      text={text.ask.text}
      submitLabel={text.ask.button}
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        const { status } = await api.payments.inquire(exception.payment_id ?? '', {}, { idempotencyKey })
        await settled(`${text.ask.done} ${nameOf(terms.paymentStatus, status).toLowerCase()}.`)
      }}
    />
  )
}

/** Proposes the outcome of the payment or, if the exception is about a refund, of the refund. */
export function ResolveDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  const paymentId = exception.payment_id ?? ''
  const isRefund = exception.kind === 'refund_unknown'
  const { data: refunds } = useQuery({
    queryKey: ['payment', paymentId, 'refunds'],
    queryFn: ({ signal }) => api.payments.listRefunds(paymentId, { signal }),
    enabled: isRefund,
  })
  const { returned, ...ofRefund } = text.resolve.outcomes
  return (
    <FormDialog
      title={text.resolve.title}
      subject={`resolve ${exception.exception_id}`}
      text={text.resolve.text}
      submitLabel={text.resolve.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const reference = field('provider_reference')
        const said = {
          evidence: field('evidence'),
          ...(reference !== '' && { provider_reference: reference }),
        }
        const outcome = field('outcome') === 'completed' ? 'completed' : 'failed'
        await (isRefund
          ? api.refunds.resolve(paymentId, field('refund_id'), { outcome, ...said }, { idempotencyKey })
          : api.payments.resolve(
              paymentId,
              { outcome: field('outcome') === 'returned' ? 'returned' : outcome, ...said },
              { idempotencyKey },
            ))
        await settled(text.resolve.done)
      }}
    >
      {isRefund && (
        <SelectField
          name="refund_id"
          label={text.resolve.refund}
          required
          options={Object.fromEntries(
            (refunds ?? [])
              .filter(({ status }) => status === 'processing')
              .map((one) => [one.refund_id, `${formatMoney(one.amount, one.currency)} · ${one.reason}`]),
          )}
        />
      )}
      <SelectField
        name="outcome"
        label={text.resolve.outcome}
        options={isRefund ? ofRefund : { ...ofRefund, returned }}
      />
      <AreaField
        name="evidence"
        label={text.resolve.evidence}
        hint={text.resolve.evidenceHint}
        required
        maxLength={2000}
      />
      <TextField name="provider_reference" label={text.resolve.reference} hint={text.resolve.optional} />
    </FormDialog>
  )
}

export function AdjustDialog({ exception, onClose }: ActionProps): ReactElement {
  const settled = useSettled()
  return (
    <FormDialog
      title={text.adjust.title}
      subject={`adjust ${exception.exception_id}`}
      text={text.adjust.text}
      submitLabel={text.adjust.button}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        await api.ledgerAdjustments.create(
          {
            debit: field('debit'),
            credit: field('credit'),
            amount: field('amount'),
            currency: field('currency').toUpperCase(),
            reason: field('reason'),
            exception_id: exception.exception_id,
            ...(exception.payment_id !== null && { payment_id: exception.payment_id }),
          },
          { idempotencyKey },
        )
        await settled(text.adjust.done)
      }}
    >
      <TextField name="debit" label={text.adjust.debit} hint={text.adjust.accountHint} required />
      <TextField name="credit" label={text.adjust.credit} required />
      <TextField name="amount" label={text.adjust.amount} inputMode="decimal" required />
      <TextField name="currency" label={text.adjust.currency} required maxLength={10} />
      <AreaField name="reason" label={text.comment} required maxLength={500} />
    </FormDialog>
  )
}
