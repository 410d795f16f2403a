import type { PayoutBatchRow } from '@switchyard/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import type { Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { RowsPanel } from '../../ui/rows-panel.tsx'
import { Status } from '../../ui/status.tsx'
import work from '../../ui/work.module.css'

const pollMs = 3_000

/** The payouts in the order of the file. */
export function BatchRows({ batchId, isMoving }: { batchId: string; isMoving: boolean }): ReactElement {
  const address = useListAddress(['state'])
  const result = useQuery({
    queryKey: ['payout-batches', 'rows', batchId, address.filters],
    queryFn: ({ signal }) =>
      api.payoutBatches.listRows(batchId, { limit: 50, ...address.filters }, { signal }).firstPage(),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving && pollMs,
  })
  return (
    <>
      <Filters address={address}>
        <ChoiceFilter address={address} name="state" label={text.state} options={text.states} />
      </Filters>
      <RowsPanel
        title={text.rowsTitle}
        result={result}
        rows={result.data?.data}
        columns={columns}
        keyOf={({ row }) => String(row)}
        empty={{ title: text.noRows }}
        more={result.data?.cursor === undefined ? undefined : text.moreRows}
      />
    </>
  )
}

const columns: readonly Column<PayoutBatchRow>[] = [
  { label: text.newBatch.row, isEnd: true, cell: ({ row }) => row },
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: text.reference,
    cell: ({ client_reference, payment_id }) =>
      payment_id === null ? (
        client_reference
      ) : (
        <Link to={paymentPath(payment_id)} data-row="">
          {client_reference}
        </Link>
      ),
  },
  {
    label: text.outcome,
    cell: ({ payment_status, state, failure_message }) => (
      <span className={work.row}>
        {payment_status === null ? nameOf(text.states, state) : <Status status={payment_status} />}
        {failure_message}
      </span>
    ),
  },
]
