import { ApiError, type ChangeRequest } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { approvals, changeRequest as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Panel } from '../../ui/page.tsx'
import work from '../../ui/work.module.css'

interface DecisionProps {
  request: ChangeRequest
  onOvertaken: () => void
}

type Choice = 'approve' | 'reject' | 'withdraw'

/** Repeats the server's rules, so that the page shows the reason before anyone tries. */
function useReason(request: ChangeRequest): string | undefined {
  const { me } = useIdentity()
  if (request.requested_by === me.user_id) return text.own
  if (request.reviewed_by === me.user_id) return text.reviewedAlready
  const isOperator = me.role === 'platform-admin' && me.permissions.includes('platform:write')
  if (request.approver === 'operator' && !isOperator) return text.operators
  const isAdministrator = me.role === 'org-admin' || me.role === 'platform-admin'
  if (!isAdministrator || !me.permissions.includes('payouts:approve')) return text.administrators
  return undefined
}

export function ChangeDecision({ request, onOvertaken }: DecisionProps): ReactElement {
  const { me } = useIdentity()
  const [chosen, setChosen] = useState<Choice>()
  const reason = useReason(request)
  const isOwn = request.requested_by === me.user_id
  return (
    <Panel title={approvals.decision}>
      <div className={work.decision}>
        <GuardedButton isPrimary reason={reason} onClick={() => setChosen('approve')}>
          {approvals.approve}
        </GuardedButton>
        {reason === undefined && <Button onClick={() => setChosen('reject')}>{approvals.reject}</Button>}
        {isOwn && <Button onClick={() => setChosen('withdraw')}>{text.withdraw}</Button>}
      </div>
      {chosen && (
        <DecisionDialog
          choice={chosen}
          request={request}
          onOvertaken={onOvertaken}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  )
}

const words = {
  approve: {
    title: text.approveTitle,
    text: text.approveText,
    label: approvals.approve,
    done: text.approved,
  },
  reject: { title: text.rejectTitle, text: text.rejectText, label: approvals.reject, done: text.rejected },
  withdraw: {
    title: text.withdrawTitle,
    text: text.withdrawText,
    label: text.withdraw,
    done: text.withdrawn,
  },
} as const

interface DialogProps extends DecisionProps {
  choice: Choice
  onClose: () => void
}

function DecisionDialog({ choice, request, onOvertaken, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  const { org_id: orgId, request_id: requestId } = request
  const isFirst = choice === 'approve' && request.approver === 'operator' && request.reviewed_by === null
  const refresh = (): Promise<unknown> =>
    Promise.all(
      ['approvals', 'waiting', 'exceptions', 'payment', 'matches'].map((name) =>
        client.invalidateQueries({ queryKey: [name] }),
      ),
    )
  const send = (comments: string, idempotencyKey: string): Promise<ChangeRequest> => {
    const options = { idempotencyKey }
    if (choice === 'approve') return api.changeRequests.approve(orgId, requestId, {}, options)
    if (choice === 'reject') return api.changeRequests.reject(orgId, requestId, { comments }, options)
    return api.changeRequests.cancel(orgId, requestId, options)
  }
  return (
    <FormDialog
      title={words[choice].title}
      subject={`${choice} ${requestId}`}
      text={
        <>
          <p>{request.summary}</p>
          <p>{isFirst ? text.approveFirstText : words[choice].text}</p>
        </>
      }
      submitLabel={words[choice].label}
      isDangerous={choice === 'reject'}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        try {
          const { status } = await send(field('comment'), idempotencyKey)
          showToast(status === 'pending' ? text.reviewed : words[choice].done)
        } catch (error) {
          const now = await isDecided(error, orgId, requestId)
          if (!now) throw error
          onOvertaken()
        }
        await refresh()
      }}
    >
      {choice === 'reject' && <AreaField name="comment" label={text.comments} required maxLength={500} />}
    </FormDialog>
  )
}

/** A conflict is either someone else's decision, which ends the request, or a change that no longer applies. */
async function isDecided(error: unknown, orgId: string, requestId: string): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 409) return false
  return (await api.changeRequests.get(orgId, requestId)).status !== 'pending'
}
