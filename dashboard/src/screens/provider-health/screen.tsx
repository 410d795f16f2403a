import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { health as text } from '../../messages/generated/texts.ts'
import { useMay } from '../../shell/session.tsx'
import { ChoiceFilter, Filters } from '../../ui/filters.tsx'
import { useListAddress } from '../../ui/list-address.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { HealthTable } from './health-table.tsx'
import { Maintenance } from './maintenance.tsx'
import { OverTime } from './over-time.tsx'

const refreshMs = 30_000
const dayMinutes = '1440'

export function Screen(): ReactElement {
  const mayRead = useMay('provider-configs:read')
  const address = useListAddress(['window'])
  const minutes = Number(address.filters['window'] ?? dayMinutes)
  const { data, error, refetch } = useQuery({
    queryKey: ['provider-health', minutes],
    queryFn: ({ signal }) => api.providers.getHealth({ window_minutes: minutes }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <Page title={text.title}>
      <Filters address={address}>
        <ChoiceFilter
          address={address}
          name="window"
          label={text.window}
          options={text.windows}
          anyLabel={text.lastDay}
        />
      </Filters>
      {data?.is_truncated && <p className={ui.doubt}>{text.truncated}</p>}
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
        {data && !error && data.accounts.length === 0 && (
          <EmptyState title={text.empty} text={text.emptyText} />
        )}
        {data && !error && data.accounts.length > 0 && <HealthTable rows={data.accounts} />}
      </Panel>
      {mayRead && <OverTime minutes={minutes} />}
      {mayRead && <Maintenance />}
    </Page>
  )
}
