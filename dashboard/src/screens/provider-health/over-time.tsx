import type { RouteHealth } from '@switchyard/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { healthOverTime as text, policyRule, terms, whatIf } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { countryName, formatCount, formatDuration, formatShare } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './health.module.css'

type Bucket = RouteHealth['buckets'][number]

const minuteMs = 60_000
const refreshMs = 30_000
/** Up to this many minutes, the chart has a point per minute; beyond that, one per hour. */
const finest = 360

/** Each account's performance per corridor, as small charts below the figure for the whole period. */
export function OverTime({ minutes }: { minutes: number }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['routing-health', minutes],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - minutes * minuteMs).toISOString()
      return api.routing.getHealth({ from, bucket: minutes <= finest ? 'minute' : 'hour' }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <Panel title={text.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data?.routes.length === 0 && <EmptyState title={text.empty} />}
      {data && data.routes.length > 0 && (
        <>
          <Table
            title={text.title}
            columns={columnsOver({ from: Date.parse(data.from), to: Date.parse(data.to) })}
            rows={data.routes}
            keyOf={keyOf}
          />
          <p className={styles.foot}>{text.text}</p>
        </>
      )}
    </Panel>
  )
}

const keyOf = (route: RouteHealth): string =>
  [route.account_id, route.direction, route.payment_method, route.country].join(' ')

const tones: Readonly<Record<string, Tone>> = { healthy: 'good', degraded: 'wait', down: 'bad' }

const declinesOf = (counts: Pick<Bucket, 'provider_declines' | 'failed' | 'not_sent'>): number =>
  counts.provider_declines + counts.failed + counts.not_sent

interface Span {
  from: number
  to: number
}

interface Chart {
  label: string
  figureOf: (totals: RouteHealth['totals']) => string
  valueOf: (bucket: Bucket) => number | null
}

const chartOver = (span: Span, { label, figureOf, valueOf }: Chart): Column<RouteHealth> => ({
  label,
  cell: ({ totals, buckets }) => (
    <span className={styles.chart}>
      <span className={ui.number}>{figureOf(totals)}</span>
      <Line span={span} values={buckets.map((bucket) => [Date.parse(bucket.start), valueOf(bucket)])} />
    </span>
  ),
})

const columns: readonly Column<RouteHealth>[] = [
  {
    label: text.account,
    cell: ({ provider, direction, payment_method: method, country }) => (
      <span className={styles.provider}>
        {nameOf(terms.provider, provider)}
        <span className={styles.words}>
          {whatIf.corridorOf(
            nameOf(policyRule.directions, direction).toLowerCase(),
            nameOf(terms.method, method).toLowerCase(),
            countryName(country),
          )}
        </span>
      </span>
    ),
  },
  {
    label: text.health,
    cell: ({ health, is_in_maintenance: isInMaintenance }) =>
      isInMaintenance ? (
        <Badge tone="wait" text={text.maintenance} />
      ) : (
        <Badge tone={tones[health] ?? 'neutral'} text={nameOf(text.states, health)} />
      ),
  },
]

const charts: readonly Chart[] = [
  {
    label: text.success,
    figureOf: ({ success_rate: rate }) => (rate === null ? '–' : formatShare(rate)),
    valueOf: ({ success_rate: rate }) => (rate === null ? null : Number(rate)),
  },
  {
    label: text.latency,
    figureOf: ({ median_ms: ms }) => (ms === null ? '–' : formatDuration(ms)),
    valueOf: ({ median_ms: ms }) => ms,
  },
  {
    label: text.unknown,
    figureOf: ({ unknown }) => formatCount(unknown),
    valueOf: ({ unknown }) => unknown,
  },
  { label: text.declines, figureOf: (totals) => formatCount(declinesOf(totals)), valueOf: declinesOf },
]

const columnsOver = (span: Span): Column<RouteHealth>[] => [
  ...columns,
  ...charts.map((chart) => chartOver(span, chart)),
]

const size = { width: 96, height: 24, edge: 2 }

type Value = readonly [at: number, value: number | null]

/** The chart ranges from zero to the maximum over the whole period. */
function Line({ span, values }: { span: Span; values: readonly Value[] }): ReactElement {
  const greatest = Math.max(...values.map(([, value]) => value ?? 0), Number.MIN_VALUE)
  const perMs = (size.width - 2 * size.edge) / Math.max(span.to - span.from, 1)
  const points = values.flatMap(([at, value]) => {
    if (value === null) return []
    const y = size.height - size.edge - (value / greatest) * (size.height - 2 * size.edge)
    return [{ x: size.edge + Math.max(at - span.from, 0) * perMs, y }]
  })
  const [only] = points
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} className={styles.line} aria-hidden="true">
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {points.length === 1 && only && <circle cx={only.x} cy={only.y} r={size.edge} />}
    </svg>
  )
}
