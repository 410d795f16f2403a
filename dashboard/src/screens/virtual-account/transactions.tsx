import type { VirtualTransaction } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { virtualAccounts } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import ui from '../../ui/ui.module.css'

const { transactions: text } = virtualAccounts

const shownCount = 50

/** The newest transactions, including pending ones; deposits appear without a reload. */
export function Transactions({ accountId }: { accountId: string }): ReactElement {
  const result = useQuery({
    queryKey: ['virtual-accounts', 'transactions', accountId],
    queryFn: ({ signal }) =>
      api.virtualAccounts.listTransactions(accountId, { limit: shownCount }, { signal }).firstPage(),
  })
  return (
    <RowsPanel
      title={text.title}
      result={result}
      rows={result.data?.data}
      columns={columns}
      keyOf={({ transaction_id }) => transaction_id}
      empty={{ title: text.empty }}
      more={result.data?.cursor === undefined ? undefined : text.more}
    />
  )
}

/** Debits have a minus sign, and a word for screen readers. */
export const Sign = ({ type }: { type: string }): ReactElement => (
  <>
    <span className={ui.visuallyHidden}>{nameOf(text.types, type)}</span>
    {type === 'debit' && <span aria-hidden="true">−</span>}
  </>
)

const tones: Readonly<Record<string, Tone>> = { pending: 'wait', completed: 'good', failed: 'bad' }

const columns: readonly Column<VirtualTransaction>[] = [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency, type }) => (
      <>
        <Sign type={type} />
        <Money amount={amount} currency={currency} />
      </>
    ),
  },
  {
    label: text.status,
    cell: ({ status }) => <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />,
  },
  { label: text.rail, cell: ({ payment_rail }) => nameOf(text.rails, payment_rail) },
  {
    label: text.description,
    cell: ({ description, reference }) => <div className={ui.ellipsis}>{description || reference}</div>,
  },
  { label: text.when, cell: ({ created_at }) => <Moment at={created_at} /> },
]
