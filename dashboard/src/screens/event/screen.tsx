import type { EventsGetResult } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { deliveries, events as text } from '../../messages/generated/texts.ts'
import { deliveryPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Table } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { TextView } from '../../ui/text-view.tsx'
import { deliveryColumns } from '../webhooks/parts.tsx'

export function Screen(): ReactElement {
  const { eventId = '' } = useParams()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => api.events.get(eventId, { signal }),
  })
  const mayWrite = useMay('webhooks:write')
  const [isReplaying, setReplaying] = useState(false)
  return (
    <Page
      title={data?.event_type ?? deliveries.event}
      aside={data && mayWrite && <Button onClick={() => setReplaying(true)}>{text.replay}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <Details event={data} />}
      {isReplaying && (
        <FormDialog
          title={text.replayTitle}
          text={text.replayText}
          submitLabel={deliveries.replay}
          onClose={() => setReplaying(false)}
          onSubmit={async ({ idempotencyKey }) => {
            await api.events.replay(eventId, {}, { idempotencyKey })
            showToast(deliveries.replayed)
            await client.invalidateQueries({ queryKey: ['event', eventId] })
          }}
        />
      )}
    </Page>
  )
}

const Details = ({ event }: { event: EventsGetResult }): ReactElement => (
  <>
    <Panel title={text.deliveries}>
      {event.deliveries.length === 0 ? (
        <EmptyState title={text.noDeliveries} text={text.noDeliveriesText} />
      ) : (
        <Table
          title={text.deliveries}
          columns={deliveryColumns}
          rows={event.deliveries}
          keyOf={({ delivery_id }) => delivery_id}
          pathOf={({ webhook_id, delivery_id }) => deliveryPath(webhook_id, delivery_id)}
        />
      )}
    </Panel>
    <div className={parts.columns}>
      <Panel title={deliveries.event}>
        <Facts
          facts={[
            {
              label: text.id,
              value: (
                <>
                  <span className={parts.mono}>{event.event_id}</span>{' '}
                  <CopyButton text={event.event_id} label={text.id} />
                </>
              ),
            },
            { label: text.resource, value: <span className={parts.mono}>{event.resource_id}</span> },
            { label: text.sequence, value: event.sequence },
            { label: text.created, value: <Moment at={event.created_at} isExact /> },
          ]}
        />
      </Panel>
      <Panel title={text.body}>
        <TextView text={event.body} label={text.body} />
      </Panel>
    </div>
  </>
)
