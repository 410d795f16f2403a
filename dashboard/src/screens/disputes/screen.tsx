import type { DisputeSummary, Page } from '@switchyard/sdk'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { disputes as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { disputePath } from '../../paths.ts'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress, type ListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'
import { DisputeBadge } from './dispute-badge.tsx'

const filterNames = ['state', 'provider', 'payment_id']
const pageSize = 50
/** Few disputes need a response, so all of them are read and sorted by deadline. */
const queueLimit = 500

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useDisputes(address)
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ dispute_id }) => dispute_id}
      pathOf={({ dispute_id }) => disputePath(dispute_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <Filters address={address}>
          <ChoiceFilter address={address} name="state" label={text.state} options={text.states} />
          <ChoiceFilter address={address} name="provider" label={text.provider} options={terms.provider} />
        </Filters>
      }
    />
  )
}

const useDisputes = ({ filters, cursor }: ListAddress): UseQueryResult<Page<DisputeSummary>> =>
  useQuery({
    queryKey: ['disputes', filters, cursor],
    queryFn: async ({ signal }) => {
      if (filters['state'] !== 'needs_response')
        return api.disputes
          .list(
            { limit: pageSize, ...filters, ...(cursor !== '' && { last_evaluated_key: cursor }) },
            { signal },
          )
          .firstPage()
      const rows = await api.disputes
        .list({ limit: 100, ...filters }, { signal })
        .toArray({ limit: queueLimit })
      return { data: rows.toSorted((one, other) => dueOf(one) - dueOf(other)), cursor: undefined }
    },
    placeholderData: keepPreviousData,
    meta: { isStill: true },
  })

const dueOf = ({ due_by }: DisputeSummary): number => (due_by === null ? Infinity : Date.parse(due_by))

const columns: readonly Column<DisputeSummary>[] = [
  {
    label: text.amount,
    isEnd: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { label: text.reason, isLink: true, cell: ({ reason }) => nameOf(text.reasons, reason) },
  { label: text.state, cell: ({ state }) => <DisputeBadge state={state} /> },
  {
    label: text.due,
    cell: ({ due_by }) =>
      due_by === null ? <span className={ui.muted}>{text.noDeadline}</span> : <Moment at={due_by} />,
  },
  { label: text.provider, cell: ({ provider }) => nameOf(terms.provider, provider) },
  { label: text.opened, cell: ({ created_at }) => <Moment at={created_at} /> },
]
