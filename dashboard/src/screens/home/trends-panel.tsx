import { useQuery } from '@tanstack/react-query'
import type { Trends } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { home } from '../../messages/generated/texts.ts'
import { formatCount, formatSeries, formatShare, timeZone } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Panel, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './home.module.css'

const shownDays = 7
const minuteMs = 60_000
const dayMs = 86_400_000

/** The days in the person's time zone, as YYYY-MM-DD. */
const dateOf = (ms: number): string => new Intl.DateTimeFormat('en-CA').format(new Date(ms))

const lastDays = (): string[] =>
  Array.from({ length: shownDays }, (_day, index) => dateOf(Date.now() - (shownDays - 1 - index) * dayMs))

export function TrendsPanel(): ReactElement {
  const days = lastDays()
  const range = { dateFrom: days[0] ?? '', dateTo: days.at(-1) ?? '', timeZone: timeZone() }
  const { data, error, refetch } = useQuery({
    queryKey: ['trends', range],
    queryFn: ({ signal }) => api.analytics.trends(range, { signal }),
    staleTime: minuteMs,
  })
  const isEmpty = data?.totals.length === 0
  return (
    <Panel title={home.trends}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {isEmpty && <EmptyState title={home.trendsEmpty} />}
      {data && !isEmpty && <TrendsTable trends={data} days={days} />}
    </Panel>
  )
}

/** Currencies are never added up. */
const TrendsTable = ({ trends, days }: { trends: Trends; days: readonly string[] }): ReactElement => (
  <Scroll label={home.trends}>
    <table className={ui.table}>
      <thead>
        <tr>
          <th scope="col" className={ui.end}>
            {home.volume}
          </th>
          <th scope="col" className={ui.end}>
            {home.payments}
          </th>
          <th scope="col" className={ui.end}>
            {home.success}
          </th>
          <th scope="col">{home.perDay}</th>
        </tr>
      </thead>
      <tbody>
        {trends.totals.map(({ currency, count, volume, success_rate }) => (
          <tr key={currency}>
            <td className={ui.end}>
              <Money amount={volume} currency={currency} />
            </td>
            <td className={`${ui.end} ${ui.number}`}>{formatCount(count)}</td>
            <td className={`${ui.end} ${ui.number}`}>
              {success_rate === null ? '–' : formatShare(success_rate)}
            </td>
            <td>
              <Spark
                counts={days.map(
                  (day) =>
                    trends.series.find((one) => one.date === day && one.currency === currency)?.count ?? 0,
                )}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

const sparkHeight = 28
const barWidth = 9
const barStep = 12

const Spark = ({ counts }: { counts: readonly number[] }): ReactElement => {
  const highest = Math.max(...counts, 1)
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${counts.length * barStep} ${sparkHeight}`}
      role="img"
      aria-label={formatSeries(counts.map(formatCount))}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 2 : Math.max(3, (count / highest) * sparkHeight)
        return (
          <rect
            key={index}
            className={count === 0 ? styles.none : undefined}
            x={index * barStep}
            y={sparkHeight - height}
            width={barWidth}
            height={height}
            rx="1.5"
          />
        )
      })}
    </svg>
  )
}
