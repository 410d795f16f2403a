import type { Webhook } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { webhooks as text } from '../../messages/generated/texts.ts'
import { webhookPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointStatus, useIsToAll, WebhookLists } from './parts.tsx'

export function Screen(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => api.webhooks.list({ signal }),
  })
  const isToAll = useIsToAll()
  const client = useQueryClient()
  const mayWrite = useMay('webhooks:write')
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const add = mayWrite && (
    <Button isPrimary onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <Page title={text.title} aside={data && data.length > 0 && add}>
      <WebhookLists />
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={5} />}
        {data?.length === 0 && <EmptyState title={text.empty} text={text.emptyText} action={add} />}
        {data && data.length > 0 && (
          <Table
            title={text.endpoints}
            columns={columnsWith(isToAll)}
            rows={data}
            keyOf={({ webhook_id }) => webhook_id}
            pathOf={({ webhook_id }) => webhookPath(webhook_id)}
          />
        )}
      </Panel>
      {isAdding && (
        <EndpointForm
          title={text.add}
          submitLabel={text.add}
          onClose={() => setAdding(false)}
          onSubmit={async (body, idempotencyKey) => {
            const made = await api.webhooks.create(body, { idempotencyKey })
            setSecret(made.secret_key)
            await client.invalidateQueries({ queryKey: ['webhooks'] })
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={text.secretTitle}
          text={text.secretText}
          label={text.secretLabel}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  )
}

const columnsWith = (isToAll: (events: readonly string[]) => boolean): readonly Column<Webhook>[] => [
  {
    label: text.url,
    isLink: true,
    cell: ({ endpoint_url }) => <span className={`${ui.ellipsis} ${ui.roomy}`}>{endpoint_url}</span>,
  },
  {
    label: text.description,
    cell: ({ description }) => <div className={`${ui.ellipsis} ${ui.muted}`}>{description}</div>,
  },
  {
    label: text.subscribed,
    cell: ({ events }) => (isToAll(events) ? text.allEvents : text.someEvents(events.length)),
  },
  { label: text.status, cell: ({ status }) => <EndpointStatus status={status} /> },
  { label: text.updated, cell: ({ updated_at }) => <Moment at={updated_at} /> },
]
