import type { Webhook } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { deliveries, webhooks as text } from '../../messages/generated/texts.ts'
import { deliveriesPath, deliveryPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Table } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { deliveryColumns, EndpointStatus, useIsToAll } from '../webhooks/parts.tsx'
import { EndpointActions } from './endpoint-actions.tsx'

export function Screen(): ReactElement {
  const { webhookId = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', webhookId],
    queryFn: ({ signal }) => api.webhooks.get(webhookId, { signal }),
  })
  const mayWrite = useMay('webhooks:write')
  return (
    <Page title={data ? new URL(data.endpoint_url).host : text.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && mayWrite && <EndpointActions endpoint={data} />}
      {data?.status === 'disabled' && <p className={ui.doubt}>{text.disabledText}</p>}
      {data && (
        <>
          <Latest webhookId={webhookId} />
          <Details endpoint={data} />
        </>
      )}
    </Page>
  )
}

function Details({ endpoint }: { endpoint: Webhook }): ReactElement {
  const isToAll = useIsToAll()
  return (
    <Panel title={text.details}>
      <Facts
        facts={[
          { label: text.status, value: <EndpointStatus status={endpoint.status} /> },
          { label: text.url, value: endpoint.endpoint_url },
          { label: text.description, value: endpoint.description },
          {
            label: text.subscribed,
            value: isToAll(endpoint.events) ? (
              text.allEvents
            ) : (
              <ul>
                {endpoint.events.map((type) => (
                  <li key={type}>{type}</li>
                ))}
              </ul>
            ),
          },
          {
            label: text.id,
            value: (
              <>
                <span className={parts.mono}>{endpoint.webhook_id}</span>{' '}
                <CopyButton text={endpoint.webhook_id} label={text.id} />
              </>
            ),
          },
          { label: text.created, value: <Moment at={endpoint.created_at} isExact /> },
          { label: text.updated, value: <Moment at={endpoint.updated_at} isExact /> },
        ]}
      />
    </Panel>
  )
}

const latestCount = 8
const refreshMs = 5_000

function Latest({ webhookId }: { webhookId: string }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', webhookId, 'latest'],
    queryFn: ({ signal }) =>
      api.webhooks.listDeliveries(webhookId, { limit: latestCount }, { signal }).firstPage(),
    refetchInterval: refreshMs,
  })
  const rows = data?.data ?? []
  return (
    <Panel
      title={text.latest}
      aside={rows.length > 0 && <Link to={deliveriesPath(webhookId)}>{text.allDeliveries}</Link>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && rows.length === 0 && <EmptyState title={deliveries.empty} text={deliveries.emptyText} />}
      {rows.length > 0 && (
        <Table
          title={text.latest}
          columns={deliveryColumns}
          rows={rows}
          keyOf={({ delivery_id }) => delivery_id}
          pathOf={({ delivery_id }) => deliveryPath(webhookId, delivery_id)}
        />
      )}
    </Panel>
  )
}
