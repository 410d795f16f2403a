import type { Organization } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { useList } from '../../api/use-list.ts'
import { organizations as text, settings, verification } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { organizationPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatSeries } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list-address.ts'
import { ListPage, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import ui from '../../ui/ui.module.css'

export function Screen(): ReactElement {
  const address = useListAddress([])
  const result = useList('organizations', address, ({ limit, last_evaluated_key }, options) =>
    api.organizations.list({ limit, lastEvaluatedKey: last_evaluated_key }, options),
  )
  const mayWrite = useMay('platform:write')
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ListPage
        title={text.title}
        address={address}
        result={result}
        columns={columns}
        keyOf={({ org_id }) => org_id}
        pathOf={({ org_id }) => organizationPath(org_id)}
        empty={{ title: text.empty, text: text.emptyText }}
        aside={
          mayWrite && (
            <Button isPrimary onClick={() => setCreating(true)}>
              {text.create}
            </Button>
          )
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  )
}

const tones: Readonly<Record<string, Tone>> = {
  pending: 'wait',
  in_review: 'wait',
  approved: 'good',
  rejected: 'bad',
}

const columns: readonly Column<Organization>[] = [
  { label: text.name, isLink: true, cell: ({ name }) => name },
  { label: text.country, cell: ({ country }) => country },
  {
    label: text.verification,
    cell: ({ kyb_status: status }) => (
      <Badge tone={tones[status] ?? 'neutral'} text={nameOf(verification.statuses, status)} />
    ),
  },
  {
    label: text.features,
    cell: ({ features }) => formatSeries(features) || <span className={ui.muted}>{text.none}</span>,
  },
  { label: text.created, cell: ({ created_at }) => <Moment at={created_at} /> },
]

function CreateDialog({ onClose }: { onClose: () => void }): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.createTitle}
      text={text.createText}
      submitLabel={text.create}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const admin = {
          user_id: field('admin.user_id'),
          email: field('admin.email'),
          first_name: field('admin.first_name'),
          last_name: field('admin.last_name'),
        }
        const body = { name: field('name'), country: field('country').toUpperCase(), admin }
        await api.organizations.create(body, { idempotencyKey })
        showToast(text.made)
        await client.invalidateQueries({ queryKey: ['organizations'] })
      }}
    >
      <TextField name="name" label={text.name} required maxLength={200} />
      <TextField name="country" label={text.country} hint={settings.countryHint} required maxLength={2} />
      <TextField name="admin.user_id" label={text.userId} required maxLength={255} />
      <TextField name="admin.email" label={text.email} type="email" required maxLength={254} />
      <TextField name="admin.first_name" label={text.firstName} required maxLength={100} />
      <TextField name="admin.last_name" label={text.lastName} required maxLength={100} />
    </FormDialog>
  )
}
