import { ApiError, type PaymentAwaitingReview } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { approval as text, approvals } from '../../messages/generated/texts.ts'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import work from '../../ui/work.module.css'

interface DecisionProps {
  waiting: PaymentAwaitingReview
  /** Called when someone else has decided in the meantime. */
  onOvertaken: () => void
}

type Decision = 'approve' | 'reject'

export function DecisionPanel({ waiting, onOvertaken }: DecisionProps): ReactElement {
  const [chosen, setChosen] = useState<Decision>()
  const reasonFor = (decision: Decision): string | undefined =>
    waiting.decisions.includes(decision) ? undefined : (waiting.reason ?? '')
  const props = { waiting, onOvertaken, onClose: () => setChosen(undefined) }
  return (
    <Panel title={approvals.decision}>
      <div className={work.decision}>
        <GuardedButton isPrimary reason={reasonFor('approve')} onClick={() => setChosen('approve')}>
          {approvals.approve}
        </GuardedButton>
        {waiting.decisions.includes('reject') && (
          <GuardedButton reason={undefined} onClick={() => setChosen('reject')}>
            {approvals.reject}
          </GuardedButton>
        )}
      </div>
      {chosen === 'approve' && <ApproveDialog {...props} />}
      {chosen === 'reject' && <RejectDialog {...props} />}
    </Panel>
  )
}

type DialogProps = DecisionProps & { onClose: () => void }

const Amount = ({ waiting }: { waiting: PaymentAwaitingReview }): ReactElement => (
  <p>
    <Money amount={waiting.amount} currency={waiting.currency} />
    {waiting.description !== null && <> · {waiting.description}</>}
  </p>
)

/** Refreshes the page, whether or not the decision was accepted. */
function useDecide({ waiting, onOvertaken }: DecisionProps) {
  const client = useQueryClient()
  const refresh = async (): Promise<void> => {
    await Promise.all(
      ['approvals', 'payments', 'payment', 'waiting'].map((name) =>
        client.invalidateQueries({ queryKey: [name] }),
      ),
    )
  }
  return async (
    body: { decision: Decision; comments?: string; org_rate_id?: string },
    idempotencyKey: string,
  ): Promise<void> => {
    try {
      await api.payments.review(waiting.payment_id, body, { idempotencyKey })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && offeredRate(error) === undefined) {
        onOvertaken()
        await refresh()
        return
      }
      throw error
    }
    const isSecond = waiting.first_review !== null
    const approved = isSecond ? text.approvedSecond : text.approvedFirst
    showToast(body.decision === 'reject' ? text.rejectedDone : approved)
    await refresh()
  }
}

/** The current rate, which the server offers when the locked rate has expired. */
const offeredRate = (error: ApiError): string | undefined =>
  error.details.find(({ path }) => path === 'org_rate_id')?.message

function ApproveDialog(props: DialogProps): ReactElement {
  const decide = useDecide(props)
  const [rateId, setRateId] = useState<string>()
  return (
    <FormDialog
      title={text.approveTitle}
      subject={`approve ${props.waiting.payment_id}`}
      text={
        <>
          <Amount waiting={props.waiting} />
          <p>{props.waiting.first_review ? text.approveSecond : text.approveFirst}</p>
        </>
      }
      submitLabel={rateId === undefined ? approvals.approve : text.approveAtRate}
      onClose={props.onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const rate = field('org_rate_id')
        try {
          await decide({ decision: 'approve', ...(rate !== '' && { org_rate_id: rate }) }, idempotencyKey)
        } catch (error) {
          if (error instanceof ApiError) setRateId(offeredRate(error))
          throw error
        }
      }}
    >
      {rateId !== undefined && <input type="hidden" name="org_rate_id" value={rateId} />}
    </FormDialog>
  )
}

function RejectDialog(props: DialogProps): ReactElement {
  const decide = useDecide(props)
  return (
    <FormDialog
      title={text.rejectTitle}
      subject={`reject ${props.waiting.payment_id}`}
      text={
        <>
          <Amount waiting={props.waiting} />
          <p>{text.rejectText}</p>
        </>
      }
      submitLabel={approvals.reject}
      isDangerous
      onClose={props.onClose}
      onSubmit={({ text: field, idempotencyKey }) =>
        decide({ decision: 'reject', comments: field('comment') }, idempotencyKey)
      }
    >
      <AreaField name="comment" label={text.comment} required maxLength={500} />
    </FormDialog>
  )
}
