import { ApiError, type PayoutBatchWithProgress } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { useIdentity } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Panel } from '../../ui/page.tsx'
import work from '../../ui/work.module.css'

type Action = 'approve' | 'reject' | 'pause' | 'resume' | 'cancel'

interface Offer {
  action: Action
  reason: string | undefined
}

interface ActionsProps {
  batch: PayoutBatchWithProgress
  onOvertaken: () => void
}

/** The actions that the batch's state and the person's permissions allow. */
function useOffers({ status, created_by, reviewed_by }: PayoutBatchWithProgress): Offer[] {
  const { me } = useIdentity()
  const mayDecide = me.permissions.includes('payouts:approve')
  const mayWrite = me.permissions.includes('payments:write')
  const own = created_by === me.user_id ? text.own : undefined
  const isAdministrator = me.role === 'org-admin' || me.role === 'platform-admin'
  const reviewed = reviewed_by === me.user_id ? text.reviewed : undefined
  const notAdministrator = reviewed_by === null || isAdministrator ? undefined : text.administrators
  const isWaiting = status === 'awaiting_approval'
  const isMoving = status === 'approved' || status === 'sending'
  const offers: readonly [boolean, Offer][] = [
    [mayDecide && isWaiting, { action: 'approve', reason: own ?? reviewed ?? notAdministrator }],
    [mayDecide && isWaiting && own === undefined, { action: 'reject', reason: undefined }],
    [mayWrite && isMoving, { action: 'pause', reason: undefined }],
    [mayWrite && status === 'paused', { action: 'resume', reason: undefined }],
    [mayWrite && (isWaiting || isMoving || status === 'paused'), { action: 'cancel', reason: undefined }],
  ]
  return offers.filter(([isOffered]) => isOffered).map(([, offer]) => offer)
}

export function BatchActions({ batch, onOvertaken }: ActionsProps): ReactElement | null {
  const [chosen, setChosen] = useState<Action>()
  const offers = useOffers(batch)
  if (offers.length === 0 && chosen === undefined) return null
  return (
    <Panel title={text.actions}>
      <div className={work.decision}>
        {offers.map(({ action, reason }, index) => (
          <GuardedButton
            key={action}
            isPrimary={index === 0 && action !== 'cancel'}
            reason={reason}
            onClick={() => setChosen(action)}
          >
            {text[action].button}
          </GuardedButton>
        ))}
      </div>
      {chosen && (
        <ActionDialog
          action={chosen}
          batch={batch}
          onOvertaken={onOvertaken}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  )
}

function send(action: Action, batchId: string, comments: string, idempotencyKey: string): Promise<unknown> {
  const options = { idempotencyKey }
  if (action === 'approve') return api.payoutBatches.approve(batchId, {}, options)
  if (action === 'reject') return api.payoutBatches.reject(batchId, { comments }, options)
  return api.payoutBatches[action](batchId, options)
}

interface DialogProps extends ActionsProps {
  action: Action
  onClose: () => void
}

function ActionDialog({ action, batch, onOvertaken, onClose }: DialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text[action].title}
      subject={`${action} ${batch.batch_id}`}
      text={text[action].text}
      submitLabel={text[action].button}
      isDangerous={action === 'reject' || action === 'cancel'}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        try {
          await send(action, batch.batch_id, field('comment'), idempotencyKey)
          const isFirstApproval = action === 'approve' && batch.reviewed_by === null
          showToast(isFirstApproval ? text.firstDone : text[action].done)
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 409) throw error
          onOvertaken()
        }
        await Promise.all(
          ['payout-batches', 'waiting'].map((name) => client.invalidateQueries({ queryKey: [name] })),
        )
      }}
    >
      {action === 'reject' && <AreaField name="comment" label={text.comments} required maxLength={500} />}
    </FormDialog>
  )
}
