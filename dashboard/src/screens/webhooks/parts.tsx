import type { Delivery, EventCatalogEntry } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { deliveries, webhooks } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SubNav } from '../../ui/sub-nav.tsx'
import ui from '../../ui/ui.module.css'

export const WebhookLists = (): ReactElement => (
  <SubNav
    label={webhooks.lists}
    links={[
      { to: paths.webhooks, label: webhooks.endpoints },
      { to: paths.events, label: webhooks.events },
      { to: paths.deadLetters, label: webhooks.deadLetters },
    ]}
  />
)

const endpointTones: Readonly<Record<string, Tone>> = { active: 'good', paused: 'wait', disabled: 'bad' }

export const EndpointStatus = ({ status }: { status: string }): ReactElement => (
  <Badge tone={endpointTones[status] ?? 'neutral'} text={nameOf(webhooks.statuses, status)} />
)

const deliveryTones: Readonly<Record<string, Tone>> = { pending: 'wait', succeeded: 'good', dead: 'bad' }

export const DeliveryStatus = ({ status }: { status: string }): ReactElement => (
  <Badge tone={deliveryTones[status] ?? 'neutral'} text={nameOf(deliveries.statuses, status)} />
)

/** The number of attempts, and the endpoint's last response. */
export const triesColumns: readonly Column<Delivery>[] = [
  {
    label: deliveries.attempts,
    isEnd: true,
    cell: ({ attempts }) => <span className={ui.number}>{attempts}</span>,
  },
  {
    label: deliveries.response,
    isEnd: true,
    cell: ({ last_response_status }) =>
      last_response_status ?? <span className={ui.muted}>{deliveries.noResponse}</span>,
  },
]

export const deliveryColumns: readonly Column<Delivery>[] = [
  { label: deliveries.eventType, isLink: true, cell: ({ event_type }) => event_type },
  { label: deliveries.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
  ...triesColumns,
  { label: deliveries.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]

const catalogMs = 3_600_000

/** The catalogue changes only with the server's version. */
export const useEventTypes = (): UseQueryResult<EventCatalogEntry[]> =>
  useQuery({
    queryKey: ['event-types'],
    queryFn: ({ signal }) => api.catalog.listEvents({ signal }),
    staleTime: catalogMs,
  })

/** An endpoint that receives all types is shown as such, without listing them. */
export function useIsToAll(): (events: readonly string[]) => boolean {
  const { data } = useEventTypes()
  return (events) => data !== undefined && data.every(({ event_type }) => events.includes(event_type))
}

/** The event types as options. */
export function useEventOptions(): Record<string, string> {
  const { data = [] } = useEventTypes()
  return Object.fromEntries(data.map(({ event_type }) => [event_type, event_type]))
}
