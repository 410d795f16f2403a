import { useCallback, useState, type ReactElement } from 'react'
import { useSearchParams } from 'react-router'
import { usePayments, type PaymentFilters } from '../../api/queries.ts'
import type { Transaction } from '../../api/types.ts'
import { en } from '../../messages/en.ts'
import { useHints, type Hint } from '../../shell/live.ts'
import { Button } from '../../ui/button.tsx'
import { timeZone } from '../../ui/format.ts'
import { Moment, Money } from '../../ui/money.tsx'
import { Page, Panel, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import ui from '../../ui/ui.module.css'
import { Filters } from './filters.tsx'
import styles from './payments.module.css'

const filterNames = ['status', 'direction', 'method', 'currency', 'client_reference']

/** Filters and cursor are in the address, so that reload, back and a shared link show the same rows. */
export function Screen(): ReactElement {
  const [query, setQuery] = useSearchParams()
  const filters: PaymentFilters = Object.fromEntries(
    filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])),
  )
  const cursor = query.get('cursor') ?? ''
  const { data, error, refetch, isPlaceholderData } = usePayments(filters, cursor)
  const rows = data?.data ?? []
  const fresh = useFreshPayments(rows)
  const isFiltered = Object.keys(filters).length > 0
  /** From the address and not from the last render: a second change may follow before the first is shown. */
  const change = (name: string, value: string): void => {
    const next = new URLSearchParams(location.search)
    next.delete('cursor')
    if (value === '') next.delete(name)
    else next.set(name, value)
    setQuery(next)
  }
  const clear = (): void => setQuery({})
  const showFresh = (): void => {
    fresh.forget()
    if (cursor !== '') setQuery({ ...filters })
    refetch().catch(() => undefined)
  }
  return (
    <Page title={en.payments.title}>
      <Filters filters={filters} onChange={change} onClear={clear} />
      {fresh.count > 0 && (
        <Button className={styles.fresh} onClick={showFresh}>
          {fresh.count === 1 ? en.payments.newOne : en.payments.newMany(fresh.count)}
        </Button>
      )}
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={10} />}
        {data && !error && rows.length === 0 && <Empty isFiltered={isFiltered} onClear={clear} />}
        {!error && rows.length > 0 && <PaymentTable rows={rows} isOld={isPlaceholderData} />}
      </Panel>
      {!error && rows.length > 0 && (
        <div className={styles.foot}>
          <span>
            {en.payments.times} {timeZone()}
          </span>
          <span className={styles.pager}>
            {cursor !== '' && <Button onClick={() => setQuery({ ...filters })}>{en.payments.first}</Button>}
            <Button
              disabled={!data?.last_evaluated_key}
              onClick={() => setQuery({ ...filters, cursor: data?.last_evaluated_key ?? '' })}
            >
              {en.payments.next}
            </Button>
          </span>
        </div>
      )}
    </Page>
  )
}

const Empty = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }): ReactElement =>
  isFiltered ? (
    <EmptyState
      title={en.payments.noMatch}
      text={en.payments.noMatchText}
      action={<Button onClick={onClear}>{en.payments.clear}</Button>}
    />
  ) : (
    <EmptyState title={en.payments.empty} text={en.payments.emptyText} />
  )

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

const PaymentTable = ({ rows, isOld }: { rows: readonly Transaction[]; isOld: boolean }): ReactElement => (
  <div className={isOld ? styles.isOld : undefined} aria-busy={isOld}>
    <Scroll label={en.payments.title}>
      <table className={ui.table}>
        <caption className={ui.visuallyHidden}>{en.payments.title}</caption>
        <thead>
          <tr>
            <th scope="col" className={ui.end}>
              {en.payments.amount}
            </th>
            <th scope="col">{en.payments.status}</th>
            <th scope="col">{en.payments.reference}</th>
            <th scope="col">{en.payments.method}</th>
            <th scope="col">{en.payments.provider}</th>
            <th scope="col">{en.payments.created}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.payment_id} tabIndex={0}>
              <td className={ui.end}>
                <Money amount={row.amount} currency={row.currency} />
              </td>
              <td>
                <Status status={row.status} />
              </td>
              <td>
                <div className={ui.ellipsis}>
                  {row.client_reference ?? <span className={ui.muted}>{row.payment_id}</span>}
                </div>
              </td>
              <td>
                {en.method[row.payment_method]}{' '}
                <span className={ui.muted}>{en.direction[row.direction].toLowerCase()}</span>
              </td>
              <td>{row.provider ?? <span className={ui.muted}>{en.payments.noProvider}</span>}</td>
              <td>
                <Moment at={row.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </div>
)
