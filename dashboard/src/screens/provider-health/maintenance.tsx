import type { MaintenanceWindow } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { maintenance as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'

const key = ['maintenance-windows'] as const

export function Maintenance(): ReactElement {
  const mayWrite = useMay('provider-configs:write')
  const isOwn = useIsOwn()
  const [isScheduling, setScheduling] = useState(false)
  const [ended, setEnded] = useState<MaintenanceWindow>()
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.maintenanceWindows.list({ signal }),
  })
  const actions: Column<MaintenanceWindow> = {
    label: text.actions,
    isEnd: true,
    cell: (row) =>
      isOwn(row.org_id) && (
        <Button className={ui.small} aria-label={text.deleteOf(row.provider)} onClick={() => setEnded(row)}>
          {text.delete}
        </Button>
      ),
  }
  return (
    <Panel
      title={text.title}
      aside={mayWrite && <Button onClick={() => setScheduling(true)}>{text.schedule}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data?.windows.length === 0 && <EmptyState title={text.empty} text={text.emptyText} />}
      {data && data.windows.length > 0 && (
        <Table
          title={text.title}
          columns={mayWrite ? [...columns, actions] : columns}
          rows={data.windows}
          keyOf={({ window_id }) => window_id}
        />
      )}
      {isScheduling && <ScheduleDialog onClose={() => setScheduling(false)} />}
      {ended && <DeleteDialog target={ended} onClose={() => setEnded(undefined)} />}
    </Panel>
  )
}

/** The operator schedules windows for the installation's accounts, an organisation for its own. */
function useIsOwn(): (orgId: string | null) => boolean {
  const { org_id: ownId } = useIdentity().me
  const isOperator = useMay('platform:write')
  return (orgId) => (orgId === null ? isOperator : orgId === ownId)
}

const columns: readonly Column<MaintenanceWindow>[] = [
  { label: text.account, cell: ({ provider }) => nameOf(terms.provider, provider) },
  { label: text.starts, cell: ({ starts_at }) => <Moment at={starts_at} /> },
  { label: text.ends, cell: ({ ends_at }) => <Moment at={ends_at} /> },
  { label: text.reason, cell: ({ reason }) => reason },
]

function ScheduleDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  const isOwn = useIsOwn()
  const { data: accounts = [] } = useQuery({
    queryKey: ['provider-accounts', 'of-maintenance'],
    queryFn: ({ signal }) => api.providerAccounts.list({}, { signal }),
  })
  const options = new Map(
    accounts
      .filter(({ org_id: orgId }) => isOwn(orgId))
      .map(({ account_id, provider, label }) => [
        account_id,
        label ? `${label} (${nameOf(terms.provider, provider)})` : nameOf(terms.provider, provider),
      ]),
  )
  return (
    <FormDialog
      title={text.schedule}
      text={text.scheduleText}
      submitLabel={text.schedule}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body = {
          account_id: field('account_id'),
          starts_at: new Date(field('starts_at')).toISOString(),
          ends_at: new Date(field('ends_at')).toISOString(),
          reason: field('reason') || null,
        }
        await api.maintenanceWindows.create(body, { idempotencyKey })
        showToast(text.scheduled)
        await client.invalidateQueries({ queryKey: key })
      }}
    >
      <SelectField name="account_id" label={text.account} options={options} required />
      <TextField name="starts_at" label={text.starts} type="datetime-local" required />
      <TextField name="ends_at" label={text.ends} type="datetime-local" required />
      <TextField name="reason" label={text.reason} maxLength={200} />
    </FormDialog>
  )
}

function DeleteDialog({ target, onClose }: { target: MaintenanceWindow; onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.deleteTitle}
      text={text.deleteText}
      submitLabel={text.delete}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ idempotencyKey }) => {
        await api.maintenanceWindows.delete(target.window_id, { idempotencyKey })
        showToast(text.deleted)
        await client.invalidateQueries({ queryKey: key })
      }}
    />
  )
}
