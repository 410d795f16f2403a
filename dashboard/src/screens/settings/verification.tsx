import type { Organization } from '@switchyard/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { settings, verification as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'

const tones: Readonly<Record<string, Tone>> = {
  pending: 'wait',
  in_review: 'wait',
  approved: 'good',
  rejected: 'bad',
}

export function Verification({ organization }: { organization: Organization }): ReactElement {
  const mayWrite = useMay('organizations:write')
  const { kyb_status: status } = organization
  const [isStarting, setStarting] = useState(false)
  const [nextUrl, setNextUrl] = useState<string>()
  const canStart =
    (status === 'approved' && organization.is_verification_outdated) ||
    ['not_started', 'rejected', 'pending'].includes(status)
  return (
    <Panel
      title={settings.verification}
      aside={
        mayWrite &&
        canStart && (
          <Button onClick={() => setStarting(true)}>
            {status === 'not_started' ? text.start : text.again}
          </Button>
        )
      }
    >
      <p className={parts.text}>{text.text}</p>
      <Facts
        facts={[
          {
            label: text.status,
            value: <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />,
          },
          {
            label: text.publicName,
            value: organization.is_verification_outdated && (
              <Badge tone="wait" text={organization.public_name} />
            ),
          },
          { label: text.reason, value: organization.kyb_reason },
          {
            label: text.payouts,
            value: organization.payouts_require_kyb ? text.payoutsNeed : text.payoutsFree,
          },
          { label: text.customer, value: organization.kyb_customer_id },
        ]}
      />
      {nextUrl !== undefined && (
        <p className={parts.text}>
          <a className={buttonClass(true)} href={nextUrl} rel="noreferrer">
            {text.continue}
          </a>
        </p>
      )}
      {isStarting && (
        <StartDialog organization={organization} onClose={() => setStarting(false)} onStarted={setNextUrl} />
      )}
    </Panel>
  )
}

interface StartDialogProps {
  organization: Organization
  onClose: () => void
  onStarted: (url: string) => void
}

function StartDialog({ organization, onClose, onStarted }: StartDialogProps): ReactElement {
  const client = useQueryClient()
  return (
    <FormDialog
      title={text.start}
      text={text.startText}
      submitLabel={text.start}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const company = {
          legal_name: field('company.legal_name'),
          registration_number: field('company.registration_number'),
          country: field('company.country').toUpperCase(),
        }
        const started = await api.kyb.initiate(organization.org_id, { company }, { idempotencyKey })
        showToast(text.started)
        onStarted(started.verification_url)
        await client.invalidateQueries({ queryKey: ['organization'] })
      }}
    >
      <TextField
        name="company.legal_name"
        label={text.legalName}
        required
        maxLength={200}
        defaultValue={organization.name}
      />
      <TextField name="company.registration_number" label={text.registration} required maxLength={100} />
      <TextField
        name="company.country"
        label={settings.country}
        hint={settings.countryHint}
        required
        maxLength={2}
        defaultValue={organization.country}
      />
    </FormDialog>
  )
}
