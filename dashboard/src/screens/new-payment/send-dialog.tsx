import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../api/client.ts'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { paymentPath } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatMoney } from '../../ui/format.ts'
import { nextStepOf } from '../payment/next-step.ts'
import type { Plan } from './plan.ts'
import type { useSubmission } from '../../ui/use-submission.ts'

interface SendDialogProps {
  plan: Plan
  send: ReturnType<typeof useSubmission>['send']
  onClose: () => void
}

/** The confirmation before money moves. */
export function SendDialog({ plan: { body, preview, party }, send, onClose }: SendDialogProps): ReactElement {
  const client = useQueryClient()
  const navigate = useNavigate()
  const isPayout = body.direction === 'payout'
  const amount = formatMoney(preview.amount, preview.currency)
  const consequence = isPayout ? text.confirm.payoutText : text.confirm.payinText
  return (
    <FormDialog
      title={text.confirm[body.direction](amount, party)}
      text={preview.approval.is_needed ? text.confirm.approvalText : consequence}
      submitLabel={text.send[body.direction]}
      onClose={onClose}
      onSubmit={async () => {
        const started = await send((idempotencyKey) => api.payments.initiate(body, { idempotencyKey }))
        showToast(text.started)
        await client.invalidateQueries({ queryKey: ['payments'] })
        await navigate(paymentPath(started.payment_id), { state: { nextStep: nextStepOf(started) } })
      }}
    />
  )
}
