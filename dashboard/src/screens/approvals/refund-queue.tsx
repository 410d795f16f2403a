import type { RefundAwaitingReview } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { useWaitingRefunds } from '../../api/use-waiting-refunds.ts'
import { approvals, refunds } from '../../messages/generated/texts.ts'
import { paymentPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import ui from '../../ui/ui.module.css'

/** Each leads to its payment, where it is decided about. */
export function RefundQueue(): ReactElement {
  const result = useWaitingRefunds(true)
  return (
    <RowsPanel
      title={approvals.refunds}
      result={result}
      rows={result.data?.rows}
      columns={columns}
      keyOf={({ refund_id }) => refund_id}
      pathOf={({ payment_id }) => paymentPath(payment_id)}
      empty={{ title: approvals.emptyRefunds, text: approvals.emptyRefundsText }}
      more={result.data?.hasMore ? approvals.more : undefined}
    />
  )
}

const columns: readonly Column<RefundAwaitingReview>[] = [
  {
    label: approvals.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: refunds.reason,
    isLink: true,
    cell: ({ reason }) => <span className={ui.ellipsis}>{reason}</span>,
  },
  { label: approvals.requester, cell: ({ requested_by }) => requested_by.name ?? requested_by.user_id },
  { label: approvals.since, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    label: approvals.state,
    cell: ({ may_review, first_review }) => {
      const step = first_review ? approvals.second : approvals.first
      return may_review ? <Badge tone="wait" text={approvals.yours} /> : <Badge tone="neutral" text={step} />
    },
  },
]
