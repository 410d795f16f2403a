import type { PayoutBatch } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { formatCount } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'

type Total = PayoutBatch['totals'][number]

const columns: readonly Column<Total>[] = [
  { label: text.currency, cell: ({ currency }) => currency },
  { label: text.rows, isEnd: true, cell: ({ rows }) => formatCount(rows) },
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: text.fees,
    isEnd: true,
    cell: ({ fees, currency }) => <Money amount={fees} currency={currency} />,
  },
]

/** Currencies are never added. */
export const Totals = ({ totals }: { totals: readonly Total[] }): ReactElement => (
  <Table title={text.totals} columns={columns} rows={totals} keyOf={({ currency }) => currency} />
)
