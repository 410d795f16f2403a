import type { PlatformStatus } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { installation as text } from '../../messages/generated/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatCount, formatSeries } from '../../ui/format.ts'
import { Table } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { HealthTable } from '../provider-health/health-table.tsx'

const refreshMs = 15_000

export function Screen(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['platform-status'],
    queryFn: ({ signal }) => api.platform.getStatus({ signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Page
      title={text.title}
      aside={
        data && (
          <span className={ui.muted}>
            {text.checked} <Moment at={data.checked_at} isExact />
          </span>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <div className={parts.columns}>
            <Software status={data} />
            <Work status={data} />
          </div>
          <Deployments status={data} />
          <Panel title={text.providers}>
            {data.providers.length === 0 ? (
              <EmptyState title={text.noAttempts} />
            ) : (
              <HealthTable rows={data.providers} />
            )}
          </Panel>
        </>
      )}
    </Page>
  )
}

const Software = ({ status }: { status: PlatformStatus }): ReactElement => (
  <Panel title={text.software}>
    <Facts
      facts={[
        { label: text.version, value: status.version },
        { label: text.node, value: status.node_version },
        { label: text.postgres, value: status.postgres_version },
        {
          label: text.migrations,
          value: (
            <>
              {text.migrated(status.migrations.applied, status.migrations.expected)}{' '}
              <Badge
                tone={status.migrations.is_current ? 'good' : 'bad'}
                text={status.migrations.is_current ? text.current : text.behind}
              />
            </>
          ),
        },
        {
          label: text.operators,
          value:
            status.operators > 1 ? (
              formatCount(status.operators)
            ) : (
              <Badge tone="bad" text={text.onlyOperator} />
            ),
        },
        {
          label: text.backups,
          value:
            status.backups.last_backup_at === null ? (
              text.backupsOutside
            ) : (
              <Moment at={status.backups.last_backup_at} isExact />
            ),
        },
      ]}
    />
  </Panel>
)

/** A number that should be zero. */
const Expected = ({ count }: { count: number }): ReactElement =>
  count === 0 ? <>{0}</> : <Badge tone="wait" text={formatCount(count)} />

function Work({ status }: { status: PlatformStatus }): ReactElement {
  const { engine, outbox, open_exceptions: exceptions } = status
  return (
    <Panel title={text.work}>
      <Facts
        facts={[
          {
            label: text.engine,
            value: (
              <Badge
                tone={engine.is_reachable ? 'good' : 'bad'}
                text={engine.is_reachable ? text.reachable : text.unreachable}
              />
            ),
          },
          { label: text.workers, value: formatCount(status.workers) },
          {
            label: text.paused,
            value: engine.paused_jobs === null ? text.unknown : <Expected count={engine.paused_jobs} />,
          },
          { label: text.outbox, value: formatCount(outbox.pending) },
          { label: text.oldest, value: text.seconds(outbox.oldest_age_seconds) },
          { label: text.unreadable, value: <Expected count={status.unreadable_payments} /> },
          {
            label: text.exceptions,
            value:
              exceptions.total === 0
                ? text.noExceptions
                : formatSeries(
                    exceptions.by_kind.map(
                      ({ kind, count }) => `${kind.replaceAll('_', ' ')} ${formatCount(count)}`,
                    ),
                  ),
          },
        ]}
      />
    </Panel>
  )
}

const Deployments = ({ status }: { status: PlatformStatus }): ReactElement => (
  <Panel title={text.deployments}>
    {!status.engine.deployments || status.engine.deployments.length === 0 ? (
      <EmptyState title={text.noDeployments} />
    ) : (
      <Table
        title={text.deployments}
        rows={status.engine.deployments}
        keyOf={({ id }) => id}
        columns={[
          { label: text.address, cell: ({ uri, id }) => <span className={parts.mono}>{uri ?? id}</span> },
          { label: text.services, isEnd: true, cell: ({ services }) => formatCount(services) },
          { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    )}
  </Panel>
)
