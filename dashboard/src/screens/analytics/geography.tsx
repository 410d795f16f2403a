import type { GeographicDistribution } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { analytics as text } from '../../messages/generated/texts.ts'
import { formatCount } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'

type Country = GeographicDistribution['countries'][number]

export function Geography(): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['geography'],
    queryFn: ({ signal }) => api.analytics.geographicDistribution({}, { signal }),
  })
  return (
    <Panel title={text.geography}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data?.countries.length === 0 && <EmptyState title={text.noCountries} />}
      {data && data.countries.length > 0 && (
        <Table
          title={text.geography}
          columns={columns}
          rows={data.countries}
          keyOf={({ country, name }) => country ?? name}
        />
      )}
    </Panel>
  )
}

const countOf = ({ payments }: Country): number => payments.reduce((sum, { count }) => sum + count, 0)

const columns: readonly Column<Country>[] = [
  { label: text.country, cell: ({ name }) => name },
  {
    label: text.users,
    isEnd: true,
    cell: ({ count }) => <span className={ui.number}>{formatCount(count)}</span>,
  },
  {
    label: text.payments,
    isEnd: true,
    cell: (row) => <span className={ui.number}>{formatCount(countOf(row))}</span>,
  },
  {
    label: text.volume,
    isEnd: true,
    cell: ({ payments }) => (
      <span className={parts.lines}>
        {payments.map(({ currency, volume }) => (
          <Money key={currency} amount={volume} currency={currency} />
        ))}
      </span>
    ),
  },
]
