import type { Transaction } from '@switchyard/sdk'
import { useCallback, useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { payments } from '../../messages/en/payments.ts'
import { terms } from '../../messages/en/terms.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { useHints, type Hint } from '../../shell/live.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Status } from '../../ui/status.tsx'
import ui from '../../ui/ui.module.css'

const filterNames = ['status', 'direction', 'method', 'currency', 'client_reference']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('payments', address, (query, options) => api.transactions.list(query, options))
  const fresh = useFreshPayments(result.data?.data ?? [])
  const showFresh = (): void => {
    fresh.forget()
    if (address.cursor !== '') address.goTo('')
    else result.refetch().catch(() => undefined)
  }
  return (
    <ListPage
      title={payments.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ payment_id }) => payment_id}
      pathOf={({ payment_id }) => paymentPath(payment_id)}
      csv={() => api.transactions.list(address.filters).csv()}
      empty={{ title: payments.empty, text: payments.emptyText }}
      filters={
        <Filters address={address}>
          <ChoiceFilter
            address={address}
            name="status"
            label={payments.status}
            options={terms.paymentStatus}
          />
          <ChoiceFilter
            address={address}
            name="direction"
            label={payments.direction}
            options={terms.direction}
          />
          <ChoiceFilter address={address} name="method" label={payments.method} options={terms.method} />
          <TextFilter address={address} name="currency" label={payments.currency} isCode />
          <TextFilter address={address} name="client_reference" label={payments.reference} />
        </Filters>
      }
      notice={
        fresh.count > 0 && (
          <Button onClick={showFresh}>
            {fresh.count === 1 ? payments.newOne : payments.newMany(fresh.count)}
          </Button>
        )
      }
    />
  )
}

/** Payments that were made since the rows were read. They are counted, so that no row moves under the pointer. */
function useFreshPayments(rows: readonly Transaction[]): { count: number; forget: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  useHints(
    useCallback(({ type, id }: Hint) => {
      if (type.startsWith('transaction.') || type.startsWith('payment.'))
        setIds((known) => new Set([...known, id]))
    }, []),
  )
  const shown = new Set(rows.map(({ payment_id }) => payment_id))
  return { count: [...ids].filter((id) => !shown.has(id)).length, forget: () => setIds(new Set()) }
}

const columns: readonly Column<Transaction>[] = [
  {
    label: payments.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { label: payments.status, cell: ({ status }) => <Status status={status} /> },
  {
    label: payments.reference,
    isLink: true,
    cell: ({ client_reference, payment_id }) => (
      <span className={ui.ellipsis}>
        {client_reference ?? <span className={ui.muted}>{payment_id}</span>}
      </span>
    ),
  },
  {
    label: payments.method,
    cell: ({ payment_method, direction }) => (
      <>
        {nameOf(terms.method, payment_method)}{' '}
        <span className={ui.muted}>{nameOf(terms.direction, direction).toLowerCase()}</span>
      </>
    ),
  },
  {
    label: payments.provider,
    cell: ({ provider }) => provider ?? <span className={ui.muted}>{payments.noProvider}</span>,
  },
  { label: payments.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
