import type { PaymentRecord, TimelineEntry } from '@switchyard/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { payment } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { CancelDialog, RefundDialog, ResendDialog, ReviewDialog } from './dialogs.tsx'
import { textOf } from './entries.ts'
import styles from './payment.module.css'
import {
  isAwaitingReview,
  whyNotCancel,
  whyNotInquire,
  whyNotRefund,
  whyNotReview,
} from './possible-actions.ts'
import { paymentKey } from './use-payment.ts'

const { actions, reasons } = payment

type OpenDialog = 'refund' | 'cancel' | 'resend' | 'approve' | 'reject'

interface ActionsProps {
  record: PaymentRecord
  entries: readonly TimelineEntry[]
}

/** The actions that the person may take. One that is not possible now stays visible, with the reason. */
export function Actions({ record, entries }: ActionsProps): ReactElement {
  const [opened, setOpened] = useState<OpenDialog>()
  const mayWrite = useMay('payments:write')
  const mayRefund = useMay('refunds:write')
  const mayResend = useMay('webhooks:write')
  const mayReview = useMay('payouts:approve') && isAwaitingReview(record)
  const eventIds = entries
    .filter(({ kind }) => kind === 'event')
    .map(({ data }) => textOf(data['event_id']) ?? '')
  return (
    <div className={styles.actions} role="group" aria-label={actions.label}>
      {mayWrite && (
        <ActionButton
          label={actions.cancel}
          reason={whyNotCancel(record, entries)}
          onClick={() => setOpened('cancel')}
        />
      )}
      {mayWrite && <InquireButton record={record} entries={entries} />}
      {mayResend && (
        <ActionButton
          label={actions.resend}
          reason={eventIds.length === 0 ? reasons.noEvents : undefined}
          onClick={() => setOpened('resend')}
        />
      )}
      {mayRefund && record.direction === 'inbound' && (
        <ActionButton
          label={actions.refund}
          reason={whyNotRefund(record)}
          onClick={() => setOpened('refund')}
        />
      )}
      {mayReview && <ReviewButtons record={record} entries={entries} onOpen={setOpened} />}
      <OpenedDialog
        opened={opened}
        record={record}
        eventIds={eventIds}
        onClose={() => setOpened(undefined)}
      />
    </div>
  )
}

function InquireButton({ record, entries }: ActionsProps): ReactElement {
  const client = useQueryClient()
  const inquire = useMutation({
    mutationFn: () => api.payments.inquire(record.payment_id),
    onSuccess: () => {
      showToast(actions.asked)
      return client.invalidateQueries({ queryKey: paymentKey(record.payment_id) })
    },
    onError: (error) => showToast(error.message),
  })
  return (
    <ActionButton
      label={actions.inquire}
      reason={whyNotInquire(record, entries)}
      onClick={() => inquire.mutate()}
    />
  )
}

function ReviewButtons({
  record,
  entries,
  onOpen,
}: ActionsProps & { onOpen: (decision: 'approve' | 'reject') => void }): ReactElement {
  const reviewer = useIdentity().me
  return (
    <>
      {(['reject', 'approve'] as const).map((decision) => (
        <ActionButton
          key={decision}
          label={actions[decision]}
          isPrimary={decision === 'approve'}
          reason={whyNotReview(record, entries, { reviewer, decision })}
          onClick={() => onOpen(decision)}
        />
      ))}
    </>
  )
}

interface OpenedProps {
  opened: OpenDialog | undefined
  record: PaymentRecord
  eventIds: readonly string[]
  onClose: () => void
}

const OpenedDialog = ({ opened, eventIds, ...dialog }: OpenedProps): ReactElement => (
  <>
    {opened === 'refund' && <RefundDialog {...dialog} />}
    {opened === 'cancel' && <CancelDialog {...dialog} />}
    {opened === 'resend' && <ResendDialog {...dialog} eventIds={eventIds} />}
    {(opened === 'approve' || opened === 'reject') && <ReviewDialog {...dialog} decision={opened} />}
  </>
)
