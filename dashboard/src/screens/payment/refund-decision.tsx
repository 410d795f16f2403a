import { ApiError, type RefundAwaitingReview } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useWaitingRefunds } from '../../api/use-waiting-refunds.ts'
import { approvals, refunds as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Money } from '../../ui/money.tsx'
import work from '../../ui/work.module.css'

type Action = 'approve' | 'reject' | 'withdraw'

/** What the person may do about a refund that waits: decide about it, or withdraw their own. */
export function RefundDecision({ refundId }: { refundId: string }): ReactElement | null {
  const { me } = useIdentity()
  const [chosen, setChosen] = useState<Action>()
  const { data } = useWaitingRefunds(true)
  const waiting = data?.rows.find(({ refund_id }) => refund_id === refundId)
  if (!waiting) return null
  const open = (action: Action) => () => setChosen(action)
  return (
    <div className={work.decision}>
      {waiting.requested_by.user_id === me.user_id ? (
        <GuardedButton reason={undefined} onClick={open('withdraw')}>
          {text.withdraw}
        </GuardedButton>
      ) : (
        <GuardedButton
          isPrimary
          reason={waiting.may_review ? undefined : (waiting.refusal ?? '')}
          onClick={open('approve')}
        >
          {approvals.approve}
        </GuardedButton>
      )}
      {waiting.decisions.includes('reject') && (
        <GuardedButton reason={undefined} onClick={open('reject')}>
          {approvals.reject}
        </GuardedButton>
      )}
      {chosen !== undefined && (
        <ActionDialog waiting={waiting} action={chosen} onClose={() => setChosen(undefined)} />
      )}
    </div>
  )
}

interface DialogProps {
  waiting: RefundAwaitingReview
  action: Action
  onClose: () => void
}

function ActionDialog({ waiting, action, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const isSecond = waiting.first_review !== null
  const words = {
    approve: {
      title: text.approveTitle,
      about: isSecond ? text.approveSecond : text.approveFirst,
      label: approvals.approve,
      done: isSecond ? text.approvedSecond : text.approvedFirst,
    },
    reject: {
      title: text.rejectTitle,
      about: text.rejectText,
      label: approvals.reject,
      done: text.rejectedDone,
    },
    withdraw: {
      title: text.withdrawTitle,
      about: text.withdrawText,
      label: text.withdraw,
      done: text.withdrawnDone,
    },
  }[action]
  return (
    <FormDialog
      title={words.title}
      subject={`${action} ${waiting.refund_id}`}
      text={
        <>
          <p>
            <Money amount={waiting.amount} currency={waiting.currency} /> · {waiting.reason}
          </p>
          <p>{words.about}</p>
        </>
      }
      submitLabel={words.label}
      isDangerous={action !== 'approve'}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const comments = field('comment')
        try {
          await decide(waiting.refund_id, { action, comments, idempotencyKey })
          showToast(words.done)
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 409)) throw error
          showToast(text.overtaken)
        }
        const names = ['approvals', 'payment', 'payments', 'refunds', 'waiting']
        await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
      }}
    >
      {action === 'reject' && <AreaField name="comment" label={text.comment} required maxLength={500} />}
    </FormDialog>
  )
}

const decide = (
  refundId: string,
  { action, comments, idempotencyKey }: { action: Action; comments: string; idempotencyKey: string },
): Promise<unknown> =>
  action === 'withdraw'
    ? api.refunds.withdraw(refundId, { idempotencyKey })
    : api.refunds.review(
        refundId,
        { decision: action, ...(comments !== '' && { comments }) },
        { idempotencyKey },
      )
