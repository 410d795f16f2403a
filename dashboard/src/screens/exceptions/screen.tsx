import type { Exception } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { usePeople } from '../../api/use-people.ts'
import { exceptionKinds, exceptions as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { exceptionPath } from '../../paths.ts'
import { useIdentity } from '../../shell/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'

const filterNames = ['status', 'kind', 'assignee_id', 'payment_id']
const kindNames = Object.fromEntries(Object.entries(exceptionKinds).map(([kind, { name }]) => [kind, name]))

export function Screen(): ReactElement {
  const { me } = useIdentity()
  const address = useListAddress(filterNames)
  const result = useList('exceptions', address, (query, options) => api.exceptions.list(query, options))
  const nameOfPerson = usePeople()
  const columns: readonly Column<Exception>[] = [
    { label: text.kind, isLink: true, cell: ({ kind }) => nameOf(kindNames, kind) },
    { label: text.summary, cell: ({ summary }) => <span className={work.wrapping}>{summary}</span> },
    {
      label: text.held,
      isEnd: true,
      cell: ({ held }) => held && <Money amount={held.amount} currency={held.currency} />,
    },
    {
      label: text.assignee,
      cell: ({ assignee_id }) =>
        assignee_id === null ? <span className={ui.muted}>{text.nobody}</span> : nameOfPerson(assignee_id),
    },
    { label: text.since, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      label: text.status,
      cell: ({ status }) => (
        <Badge tone={status === 'open' ? 'wait' : 'good'} text={nameOf(text.statuses, status)} />
      ),
    },
  ]
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ exception_id }) => exception_id}
      pathOf={({ exception_id }) => exceptionPath(exception_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <Filters address={address}>
          <ChoiceFilter address={address} name="status" label={text.status} options={text.statuses} />
          <ChoiceFilter address={address} name="kind" label={text.kind} options={kindNames} />
          <ChoiceFilter
            address={address}
            name="assignee_id"
            label={text.mine}
            options={{ [me.user_id]: text.me }}
          />
        </Filters>
      }
    />
  )
}
