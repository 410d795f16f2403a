import type { PaymentAwaitingReview, Transaction } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { approvals } from '../../messages/generated/texts.ts'
import { approvalPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import ui from '../../ui/ui.module.css'

const limit = 100

/** A waiting payment, with the recipient from the list of transactions. */
interface WaitingPayment extends PaymentAwaitingReview {
  recipient: Pick<Transaction, 'beneficiary_name' | 'beneficiary_account'> | undefined
}

export function PaymentQueue(): ReactElement {
  const result = useQuery({
    queryKey: ['approvals', 'payments'],
    queryFn: async ({ signal }) => {
      const [page, transactions] = await Promise.all([
        api.payments.listAwaitingReview({ limit }, { signal }).firstPage(),
        api.transactions.list({ status: ['initiated', 'reviewed'], limit }, { signal }).firstPage(),
      ])
      const recipients = new Map(transactions.data.map((one) => [one.payment_id, one]))
      const rows = page.data.map((row): WaitingPayment => ({
        ...row,
        recipient: recipients.get(row.payment_id),
      }))
      return { rows, hasMore: page.cursor !== undefined }
    },
  })
  return (
    <RowsPanel
      title={approvals.payments}
      result={result}
      rows={result.data?.rows}
      columns={columns}
      keyOf={({ payment_id }) => payment_id}
      pathOf={({ payment_id }) => approvalPath(payment_id)}
      empty={{ title: approvals.emptyPayments, text: approvals.emptyPaymentsText }}
      more={result.data?.hasMore ? approvals.more : undefined}
    />
  )
}

const columns: readonly Column<WaitingPayment>[] = [
  {
    label: approvals.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: approvals.purpose,
    isLink: true,
    cell: ({ description, client_reference }) => (
      <span className={ui.ellipsis}>{description ?? client_reference ?? approvals.noPurpose}</span>
    ),
  },
  {
    label: approvals.recipient,
    cell: ({ recipient }) => (
      <>
        {recipient?.beneficiary_name} <span className={ui.muted}>{recipient?.beneficiary_account}</span>
      </>
    ),
  },
  { label: approvals.initiator, cell: ({ initiated_by }) => initiated_by.name ?? initiated_by.user_id },
  { label: approvals.since, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    label: approvals.state,
    cell: ({ may_review, first_review }) => {
      const step = first_review ? approvals.second : approvals.first
      return may_review ? <Badge tone="wait" text={approvals.yours} /> : <Badge tone="neutral" text={step} />
    },
  },
]
