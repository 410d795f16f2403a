import type { WebhooksGetDeliveryResult } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { deliveries as text, events } from '../../messages/generated/texts.ts'
import { eventPath, webhookPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { TextView } from '../../ui/text-view.tsx'
import { DeliveryStatus } from '../webhooks/parts.tsx'
import styles from './delivery.module.css'

export function Screen(): ReactElement {
  const { webhookId = '', deliveryId = '' } = useParams()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: ({ signal }) => api.webhooks.getDelivery(webhookId, deliveryId, { signal }),
  })
  const mayWrite = useMay('webhooks:write')
  const [isReplaying, setReplaying] = useState(false)
  return (
    <Page
      title={data?.event_type ?? text.one}
      aside={data && mayWrite && <Button onClick={() => setReplaying(true)}>{text.replay}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={parts.columns}>
          <Details delivery={data} />
          <div className={styles.attempts}>
            {data.attempt_log.length === 0 && (
              <Panel>
                <EmptyState title={text.noAttempts} text={text.noAttemptsText} />
              </Panel>
            )}
            {data.attempt_log.toReversed().map((attempt) => (
              <Attempt key={attempt.attempt} attempt={attempt} />
            ))}
            <Panel title={text.body}>
              <TextView text={data.request_body} label={text.body} />
            </Panel>
          </div>
        </div>
      )}
      {data && isReplaying && (
        <FormDialog
          title={events.replayTitle}
          text={text.replayText}
          submitLabel={text.replay}
          onClose={() => setReplaying(false)}
          onSubmit={async ({ idempotencyKey }) => {
            await api.events.replay(data.event_id, { webhook_id: webhookId }, { idempotencyKey })
            showToast(text.replayed)
            await client.invalidateQueries({ queryKey: ['delivery', deliveryId] })
          }}
        />
      )}
    </Page>
  )
}

const Details = ({ delivery }: { delivery: WebhooksGetDeliveryResult }): ReactElement => (
  <Panel title={text.one}>
    <Facts
      facts={[
        { label: text.status, value: <DeliveryStatus status={delivery.status} /> },
        { label: text.attempts, value: delivery.attempts },
        {
          label: text.next,
          value: delivery.next_attempt_at !== null && <Moment at={delivery.next_attempt_at} isExact />,
        },
        {
          label: text.event,
          value: <Link to={eventPath(delivery.event_id)}>{delivery.event_id}</Link>,
        },
        {
          label: text.endpoint,
          value: <Link to={webhookPath(delivery.webhook_id)}>{delivery.webhook_id}</Link>,
        },
        { label: text.created, value: <Moment at={delivery.created_at} isExact /> },
        { label: text.updated, value: <Moment at={delivery.updated_at} isExact /> },
      ].filter(({ value }) => value !== false)}
    />
  </Panel>
)

type LoggedAttempt = WebhooksGetDeliveryResult['attempt_log'][number]

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const Attempt = ({ attempt }: { attempt: LoggedAttempt }): ReactElement => (
  <Panel
    title={text.attempt(attempt.attempt)}
    aside={
      <Badge
        tone={isSuccess(attempt.response_status) ? 'good' : 'bad'}
        text={String(attempt.response_status ?? attempt.error ?? text.noResponse)}
      />
    }
  >
    <p className={`${parts.text} ${styles.when}`}>
      <Moment at={attempt.created_at} isExact /> · {text.duration(attempt.duration_ms)}
    </p>
    {attempt.response_body !== null && attempt.response_body !== '' && (
      <TextView
        text={attempt.response_body}
        label={`${text.responseBody}, ${text.attempt(attempt.attempt)}`}
      />
    )}
    <details className={styles.headers}>
      <summary>{text.requestHeaders}</summary>
      <TextView
        text={Object.entries(attempt.request_headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        label={`${text.requestHeaders}, ${text.attempt(attempt.attempt)}`}
      />
    </details>
  </Panel>
)
