import type { Transaction } from '@switchyard/sdk'
import { useCallback, useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { newPayment, newRamp, payments, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useHints, type Hint } from '../../shell/live.ts'
import { useMay } from '../../shell/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ChoiceFilter, DayFilter, Filters, ManyFilter, TextFilter } from '../../ui/filters.tsx'
import { useListAddress, type ListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { startOfDay } from '../../ui/start-of-day.ts'
import { Status } from '../../ui/status.tsx'
import ui from '../../ui/ui.module.css'
import styles from './payments.module.css'

const moreNames = [
  'currency',
  'min_amount',
  'max_amount',
  'country',
  'provider',
  'from',
  'to',
  'updated_since',
]
const filterNames = ['q', 'status', 'direction', 'method', ...moreNames]

/** The URL has days in the person's time zone; the API takes timestamps and excludes the end. */
function toQuery(filters: ListAddress['filters']): Record<string, string> {
  const { from, to, updated_since: since, ...others } = filters
  return {
    ...others,
    ...(from !== undefined && { from: startOfDay(from, 0) }),
    ...(to !== undefined && { to: startOfDay(to, 1) }),
    ...(since !== undefined && { updated_since: startOfDay(since, 0) }),
  }
}

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('payments', address, (query, options) =>
    api.transactions.list({ ...query, ...toQuery(address.filters) }, options),
  )
  const mayPay = useMay('payments:write')
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
      csv={() => api.transactions.list(toQuery(address.filters)).csv()}
      empty={{ title: payments.empty, text: payments.emptyText }}
      filters={<PaymentFilters address={address} />}
      aside={
        mayPay && (
          <>
            <Link className={buttonClass(false)} to={paths.newRamp}>
              {newRamp.open}
            </Link>
            <Link className={buttonClass(true)} to={paths.newPayment}>
              {newPayment.open}
            </Link>
          </>
        )
      }
      notice={
        fresh.count > 0 && (
          <Button className={styles.fresh} onClick={showFresh}>
            {payments.newPayments(fresh.count)}
          </Button>
        )
      }
    />
  )
}

const PaymentFilters = ({ address }: { address: ListAddress }): ReactElement => (
  <Filters
    address={address}
    more={{
      names: moreNames,
      filters: (
        <>
          <TextFilter address={address} name="currency" label={payments.currency} isCode />
          {/* Amounts of several currencies cannot be compared. */}
          {address.filters['currency'] !== undefined && (
            <>
              <TextFilter
                address={address}
                name="min_amount"
                label={payments.minAmount}
                inputMode="decimal"
              />
              <TextFilter
                address={address}
                name="max_amount"
                label={payments.maxAmount}
                inputMode="decimal"
              />
            </>
          )}
          <TextFilter address={address} name="country" label={payments.country} isCode />
          <ChoiceFilter
            address={address}
            name="provider"
            label={payments.provider}
            options={terms.provider}
          />
          <DayFilter address={address} name="from" label={payments.from} />
          <DayFilter address={address} name="to" label={payments.to} />
          <DayFilter address={address} name="updated_since" label={payments.updatedSince} />
        </>
      ),
    }}
  >
    <TextFilter
      address={address}
      name="q"
      label={payments.search}
      type="search"
      placeholder={payments.searchHint}
    />
    <ManyFilter address={address} name="status" label={payments.status} options={terms.paymentStatus} />
    <ChoiceFilter address={address} name="direction" label={payments.direction} options={terms.direction} />
    <ChoiceFilter address={address} name="method" label={payments.method} options={terms.method} />
  </Filters>
)

/** Counts payments made since the rows were loaded, instead of adding rows that would move the list. */
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

const arrows: Readonly<Record<string, string>> = {
  inbound: 'M4 8h8M8.5 4.5L12 8l-3.5 3.5',
  outbound: 'M12 8H4m3.5-3.5L4 8l3.5 3.5',
}

/** An arrow for the direction, and the word for screen readers. */
const Direction = ({ direction }: { direction: string }): ReactElement => (
  <span className={styles.direction} title={nameOf(terms.direction, direction)}>
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d={arrows[direction] ?? 'M4 8h8'} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
    <span className={ui.visuallyHidden}>{nameOf(terms.direction, direction)}</span>
  </span>
)

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
    label: payments.party,
    cell: ({ payer_name, beneficiary_name }) => (
      <span className={ui.ellipsis}>{payer_name ?? beneficiary_name ?? ''}</span>
    ),
  },
  {
    label: payments.method,
    cell: ({ payment_method, direction }) => (
      <>
        {nameOf(terms.method, payment_method)}
        <Direction direction={direction} />
      </>
    ),
  },
  {
    label: payments.provider,
    cell: ({ provider }) =>
      provider !== null ? (
        nameOf(terms.provider, provider)
      ) : (
        <span className={ui.muted}>{payments.noProvider}</span>
      ),
  },
  { label: payments.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
