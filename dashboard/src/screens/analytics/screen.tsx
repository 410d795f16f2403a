import type { Trends } from '@switchyard/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { analytics as text } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { formatCount, formatShare, timeZone } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import styles from './analytics.module.css'
import { DayChart } from './day-chart.tsx'
import { Geography } from './geography.tsx'

const dayMs = 86_400_000
const standardDays = 30

/** The days in the person's time zone, as YYYY-MM-DD, oldest first. */
const lastDays = (count: number): string[] =>
  Array.from({ length: count }, (_day, index) =>
    new Intl.DateTimeFormat('en-CA').format(new Date(Date.now() - (count - 1 - index) * dayMs)),
  )

export function Screen(): ReactElement {
  const address = useListAddress(['days'])
  const days = lastDays(Number(address.filters['days'] ?? standardDays))
  const range = { dateFrom: days[0] ?? '', dateTo: days.at(-1) ?? '', timeZone: timeZone() }
  const { data, error, refetch } = useQuery({
    queryKey: ['trends', range],
    queryFn: ({ signal }) => api.analytics.trends(range, { signal }),
    placeholderData: keepPreviousData,
    staleTime: dayMs / 1440,
  })
  const maySeePeople = useMay('users:read')
  return (
    <Page title={text.title}>
      <Filters address={address}>
        <ChoiceFilter
          address={address}
          name="days"
          label={text.period}
          options={text.periods}
          anyLabel={text.standard}
        />
      </Filters>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && data.totals.length === 0 && (
        <Panel>
          <EmptyState title={text.empty} text={text.emptyText} />
        </Panel>
      )}
      {data && data.totals.length > 0 && <TrendPanels trends={data} days={days} />}
      {maySeePeople && <Geography />}
    </Page>
  )
}

type Total = Trends['totals'][number]

/** Currencies are never added up, so each has its own chart. */
const TrendPanels = ({ trends, days }: { trends: Trends; days: readonly string[] }): ReactElement => (
  <>
    <Panel title={text.payments}>
      <Table
        title={text.payments}
        columns={totalColumns}
        rows={trends.totals}
        keyOf={(row) => row.currency}
      />
    </Panel>
    {trends.totals.map(({ currency }) => (
      <CurrencyPanel
        key={currency}
        currency={currency}
        days={days}
        series={trends.series.filter((one) => one.currency === currency)}
      />
    ))}
  </>
)

function CurrencyPanel({
  currency,
  days,
  series,
}: {
  currency: string
  days: readonly string[]
  series: Trends['series']
}): ReactElement {
  return (
    <Panel title={text.perDay(currency)}>
      <DayChart currency={currency} days={days} series={new Map(series.map((one) => [one.date, one]))} />
      <details className={styles.details}>
        <summary>{text.table}</summary>
        <Table
          title={text.perDay(currency)}
          columns={[
            { label: text.day, cell: ({ date }) => <span className={ui.number}>{date}</span> },
            ...totalColumns,
          ]}
          rows={series}
          keyOf={({ date }) => date}
        />
      </details>
    </Panel>
  )
}

const numberOf =
  (key: 'count' | 'completed' | 'failed') =>
  (row: Total): ReactElement => <span className={ui.number}>{formatCount(row[key])}</span>

const totalColumns: readonly Column<Total>[] = [
  {
    label: text.volume,
    isEnd: true,
    cell: ({ volume, currency }) => <Money amount={volume} currency={currency} />,
  },
  { label: text.count, isEnd: true, cell: numberOf('count') },
  { label: text.completed, isEnd: true, cell: numberOf('completed') },
  { label: text.failed, isEnd: true, cell: numberOf('failed') },
  {
    label: text.success,
    isEnd: true,
    cell: ({ success_rate }) => (
      <span className={ui.number}>{success_rate === null ? '–' : formatShare(success_rate)}</span>
    ),
  },
]
