import type { Refund } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { refunds as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paymentPath } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'

const filterNames = ['status', 'origin', 'provider', 'currency']

const tones: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'bad' }

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('refunds', address, (query, options) => api.refunds.list(query, options))
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ refund_id }) => refund_id}
      pathOf={({ payment_id }) => paymentPath(payment_id)}
      csv={() => api.refunds.list(address.filters).csv()}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <Filters address={address}>
          <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          <ChoiceFilter address={address} name="origin" label={text.origin} options={text.origins} />
          <TextFilter address={address} name="currency" label={text.currency} isCode />
          <ChoiceFilter address={address} name="provider" label={text.provider} options={terms.provider} />
        </Filters>
      }
    />
  )
}

const columns: readonly Column<Refund>[] = [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    label: text.status,
    cell: ({ status, failure }) => (
      <span title={failure?.message}>
        <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />
      </span>
    ),
  },
  {
    label: text.reason,
    isLink: true,
    cell: ({ reason }) => <span className={`${ui.ellipsis} ${ui.roomy}`}>{reason}</span>,
  },
  { label: text.origin, cell: ({ origin }) => nameOf(text.origins, origin) },
  { label: text.provider, cell: ({ provider }) => nameOf(terms.provider, provider) },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
