import type { EventRecord } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { deliveries, events as text } from '../../messages/generated/texts.ts'
import { eventPath } from '../../paths.ts'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import parts from '../../ui/parts.module.css'
import ui from '../../ui/ui.module.css'
import { useEventOptions, WebhookLists } from '../webhooks/parts.tsx'

const filterNames = ['event_type', 'status']

export function Screen(): ReactElement {
  const address = useListAddress(filterNames)
  const result = useList('events', address, (query, options) => api.events.list(query, options))
  return (
    <ListPage
      title={text.title}
      address={address}
      result={result}
      columns={columns}
      keyOf={({ event_id }) => event_id}
      pathOf={({ event_id }) => eventPath(event_id)}
      empty={{ title: text.empty, text: text.emptyText }}
      filters={
        <>
          <WebhookLists />
          <Filters address={address}>
            <ChoiceFilter address={address} name="event_type" label={text.type} options={useEventOptions()} />
            <ChoiceFilter
              address={address}
              name="status"
              label={text.delivery}
              options={deliveries.statuses}
            />
          </Filters>
        </>
      }
    />
  )
}

const columns: readonly Column<EventRecord>[] = [
  { label: text.type, isLink: true, cell: ({ event_type }) => event_type },
  { label: text.resource, cell: ({ resource_id }) => <span className={parts.mono}>{resource_id}</span> },
  {
    label: text.sequence,
    isEnd: true,
    cell: ({ sequence }) => <span className={ui.number}>{sequence}</span>,
  },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]
