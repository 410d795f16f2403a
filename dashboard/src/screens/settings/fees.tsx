import type { FeeSchedule } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { fees as text, feeSchedules, settings, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { Button } from '../../ui/button.tsx'
import { formatSeries } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { CreateDialog, RetireDialog } from './fee-dialogs.tsx'

export function Fees({ orgId }: { orgId: string }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['fee-schedules', orgId],
    queryFn: ({ signal }) => api.feeSchedules.list({ org_id: orgId }, { signal }),
  })
  const mayWrite = useMay('platform:write')
  const [opened, setOpened] = useState<'create' | FeeSchedule>()
  const onClose = (): void => setOpened(undefined)
  const rows = data?.filter(({ retired_at }) => retired_at === null) ?? []
  return (
    <Panel
      title={settings.fees}
      aside={mayWrite && <Button onClick={() => setOpened('create')}>{feeSchedules.create}</Button>}
    >
      <p className={parts.text}>{text.text}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && rows.length === 0 && <EmptyState title={text.empty} text={text.emptyText} />}
      {rows.length > 0 && (
        <Table
          title={settings.fees}
          columns={mayWrite ? [...columns, retireColumn(setOpened)] : columns}
          rows={rows}
          keyOf={({ schedule_id }) => schedule_id}
        />
      )}
      {opened === 'create' && <CreateDialog orgId={orgId} onClose={onClose} />}
      {opened !== undefined && opened !== 'create' && <RetireDialog schedule={opened} onClose={onClose} />}
    </Panel>
  )
}

const appliesTo = ({ direction, payment_method, country, currency }: FeeSchedule): string =>
  formatSeries(
    [
      direction !== null && nameOf(text.directions, direction),
      payment_method !== null && nameOf(terms.method, payment_method).toLowerCase(),
      country,
      currency,
    ].filter((part) => part !== null && part !== false),
  ) || text.everything

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

const retireColumn = (onRetire: (schedule: FeeSchedule) => void): Column<FeeSchedule> => ({
  label: feeSchedules.actions,
  isEnd: true,
  cell: (schedule) => (
    <Button
      className={ui.small}
      aria-label={feeSchedules.retireOf(schedule.label)}
      onClick={() => onRetire(schedule)}
    >
      {feeSchedules.retire}
    </Button>
  ),
})
