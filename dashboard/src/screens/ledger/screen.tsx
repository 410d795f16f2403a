import type { LedgerTransfer } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { ledger } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { ChoiceFilter, DayFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress, type ListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { startOfDay } from '../../ui/start-of-day.ts'
import ui from '../../ui/ui.module.css'
import { LedgerLists } from '../balances/ledger-lists.tsx'
import { AccountName } from './account-name.tsx'

const { transfers: text, custodies } = ledger

const moreNames = ['payment_id', 'from', 'to']
const filterNames = ['account_kind', 'currency', 'custody', ...moreNames]

function toQuery({ from, to, ...others }: ListAddress['filters']): Record<string, string> {
  return {
    ...others,
    ...(from !== undefined && { from: startOfDay(from, 0) }),
    ...(to !== undefined && { to: startOfDay(to, 1) }),
  }
}

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('ledger', address, (query, options) =>
    api.ledgerTransfers.list({ ...query, ...toQuery(address.filters) }, options),
  )
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ transfer_id }) => transfer_id}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <>
          <LedgerLists />
          <TransferFilters address={address} />
        </>
      }
    />
  )
}

const TransferFilters = ({ address }: { address: ListAddress }): ReactElement => (
  <Filters
    address={address}
    more={{
      names: moreNames,
      filters: (
        <>
          <TextFilter address={address} name="payment_id" label={text.paymentId} />
          <DayFilter address={address} name="from" label={text.since} />
          <DayFilter address={address} name="to" label={text.until} />
        </>
      ),
    }}
  >
    <ChoiceFilter address={address} name="account_kind" label={text.account} options={text.accountKinds} />
    <TextFilter address={address} name="currency" label={text.currency} isCode />
    <ChoiceFilter address={address} name="custody" label={text.custody} options={custodies} />
  </Filters>
)

/** These kinds are caused by the payment itself; others by a refund, a dispute or another record. */
const paymentKinds = /^(?:payin|payout|fee)(?:\.|$)/

const columns: readonly Column<LedgerTransfer>[] = [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { label: text.from, cell: ({ debit }) => <AccountName account={debit} /> },
  { label: text.to, cell: ({ credit }) => <AccountName account={credit} /> },
  { label: text.kind, cell: ({ kind }) => <code>{kind}</code> },
  { label: text.phase, cell: ({ phase }) => nameOf(text.phases, phase) },
  {
    label: text.cause,
    cell: ({ kind, cause_id }) =>
      paymentKinds.test(kind) ? (
        <Link to={paymentPath(cause_id)} data-row="" title={cause_id}>
          {text.payment} {cause_id.slice(0, 8)}
        </Link>
      ) : (
        <span className={ui.muted} title={cause_id}>
          {cause_id.slice(0, 8)}
        </span>
      ),
  },
  { label: text.when, cell: ({ created_at }) => <Moment at={created_at} /> },
]
