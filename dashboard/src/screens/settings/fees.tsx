import type { FeeSchedule } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { fees as text, settings } from '../../messages/en/settings.ts'
import { terms } from '../../messages/en/terms.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'

export function Fees({ orgId }: { orgId: string }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['fee-schedules', orgId],
    queryFn: ({ signal }) => api.feeSchedules.list({ org_id: orgId }, { signal }),
  })
  const rows = data?.filter(({ retired_at }) => retired_at === null) ?? []
  return (
    <Panel title={settings.fees}>
      <p className={parts.text}>{text.text}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && rows.length === 0 && <EmptyState title={text.empty} text={text.emptyText} />}
      {rows.length > 0 && (
        <Table title={settings.fees} columns={columns} rows={rows} keyOf={({ schedule_id }) => schedule_id} />
      )}
    </Panel>
  )
}

const appliesTo = ({ direction, payment_method, country, currency }: FeeSchedule): string =>
  [
    direction !== null && nameOf(text.directions, direction),
    payment_method !== null && nameOf(terms.method, payment_method).toLowerCase(),
    country,
    currency,
  ]
    .filter((part) => part !== null && part !== false)
    .join(', ') || text.everything

/** Percents and amounts are shown with the digits that were sent. */
const feeOf = ({ percent, fixed, currency }: FeeSchedule): string =>
  `${percent} % + ${fixed}${currency === null ? '' : ` ${currency}`}`

const boundsOf = ({ minimum, maximum }: FeeSchedule): string =>
  Number(minimum) === 0 && maximum === null ? text.unbounded : `${minimum} – ${maximum ?? '∞'}`

const columns: readonly Column<FeeSchedule>[] = [
  { label: text.label, cell: ({ label }) => label },
  { label: text.applies, cell: appliesTo },
  { label: text.fee, isEnd: true, cell: (row) => <span className={ui.number}>{feeOf(row)}</span> },
  { label: text.bounds, isEnd: true, cell: (row) => <span className={ui.number}>{boundsOf(row)}</span> },
  {
    label: text.refund,
    cell: ({ returned_on_refund }) => (returned_on_refund ? text.returned : text.kept),
  },
  { label: text.since, cell: ({ created_at }) => <Moment at={created_at} /> },
]
