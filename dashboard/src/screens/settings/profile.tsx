import type { Organization, OrganizationsUpdateBody } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { settings as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { AreaField, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatSeries } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { isHeld } from '../members/parts.tsx'

export function Profile({ organization }: { organization: Organization }): ReactElement {
  const mayWrite = useMay('organizations:write')
  const [isEditing, setEditing] = useState(false)
  return (
    <Panel
      title={text.profile}
      aside={mayWrite && <Button onClick={() => setEditing(true)}>{text.edit}</Button>}
    >
      <Facts
        facts={[
          { label: text.name, value: organization.name },
          { label: text.country, value: organization.country },
          { label: text.cards, value: nameOf(text.cardChoices, organization.cards) },
          { label: text.hosts, value: formatSeries(organization.return_url_hosts) || text.noHosts },
          { label: text.features, value: formatSeries(organization.features) || text.none },
          {
            label: text.id,
            value: (
              <>
                <span className={parts.mono}>{organization.org_id}</span>{' '}
                <CopyButton text={organization.org_id} label={text.id} />
              </>
            ),
          },
          { label: text.created, value: <Moment at={organization.created_at} isExact /> },
        ]}
      />
      {isEditing && <EditDialog organization={organization} onClose={() => setEditing(false)} />}
    </Panel>
  )
}

function EditDialog({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.editTitle}
      submitLabel={text.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const cards = field('cards') === 'hosted_only' ? 'hosted_only' : 'allowed'
        const body: OrganizationsUpdateBody = {
          name: field('name'),
          country: field('country').toUpperCase(),
          return_url_hosts: field('return_url_hosts').split(/\s+/).filter(Boolean),
          cards: cards === organization.cards ? undefined : cards,
        }
        const answer = await api.organizations.update(organization.org_id, body, { idempotencyKey })
        showToast(isHeld(answer) ? text.held : text.saved)
        await client.invalidateQueries({ queryKey: ['organization'] })
      }}
    >
      <TextField name="name" label={text.name} required maxLength={200} defaultValue={organization.name} />
      <TextField
        name="country"
        label={text.country}
        hint={text.countryHint}
        required
        maxLength={2}
        defaultValue={organization.country}
      />
      <SelectField
        name="cards"
        label={text.cards}
        options={text.cardChoices}
        defaultValue={organization.cards}
      />
      <AreaField
        name="return_url_hosts"
        label={text.hosts}
        hint={text.hostsHint}
        defaultValue={organization.return_url_hosts.join('\n')}
      />
    </FormDialog>
  )
}
