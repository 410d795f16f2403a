import type { Organization, OrganizationsUpdateBody } from '@switchyard/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { organization as text, organizations, verification } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { useMay } from '../../shell/session.tsx'
import { showToast } from '../../shell/toasts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Check, Checks } from '../../ui/checks.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import parts from '../../ui/parts.module.css'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { useRoles } from '../members/parts.tsx'
import { Fees } from '../settings/fees.tsx'

export function Screen(): ReactElement {
  const { orgId = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['organization', orgId],
    queryFn: ({ signal }) => api.organizations.get(orgId, { signal }),
  })
  const mayWrite = useMay('platform:write')
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={data?.name ?? text.title}
      aside={data && mayWrite && <Button onClick={() => setEditing(true)}>{text.edit}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <Details organization={data} />}
      {data && <Fees orgId={orgId} />}
      {data && isEditing && <EditDialog organization={data} onClose={() => setEditing(false)} />}
    </Page>
  )
}

const yesOrNo = (is: boolean): string => (is ? text.yes : text.no)

function Details({ organization }: { organization: Organization }): ReactElement {
  const features = useRoles().data?.features ?? []
  return (
    <div className={parts.columns}>
      <Panel title={text.details}>
        <Facts
          facts={[
            { label: organizations.country, value: organization.country },
            {
              label: organizations.verification,
              value: nameOf(verification.statuses, organization.kyb_status),
            },
            { label: verification.reason, value: organization.kyb_reason },
            {
              label: text.id,
              value: (
                <>
                  <span className={parts.mono}>{organization.org_id}</span>{' '}
                  <CopyButton text={organization.org_id} label={text.id} />
                </>
              ),
            },
            { label: organizations.created, value: <Moment at={organization.created_at} isExact /> },
          ]}
        />
      </Panel>
      <Panel title={text.terms}>
        <Facts
          facts={[
            ...features.map((feature) => ({
              label: feature,
              value: organization.features.includes(feature) ? (
                <Badge tone="good" text={text.on} />
              ) : (
                <Badge tone="neutral" text={text.off} />
              ),
            })),
            { label: text.margin, value: text.marginUnit(organization.rate_margin_bps) },
            { label: text.requiresKyb, value: yesOrNo(organization.payouts_require_kyb) },
            { label: text.ownOnly, value: yesOrNo(organization.own_accounts_only) },
          ]}
        />
      </Panel>
    </div>
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
  const known = useRoles().data?.features ?? []
  const [features, setFeatures] = useState<ReadonlySet<string>>(new Set(organization.features))
  const [requiresKyb, setRequiresKyb] = useState(organization.payouts_require_kyb)
  const [isOwnOnly, setOwnOnly] = useState(organization.own_accounts_only)
  return (
    <FormDialog
      title={text.editTitle}
      submitLabel={text.save}
      onClose={onClose}
      onSubmit={async ({ text: field, idempotencyKey }) => {
        const body: OrganizationsUpdateBody = {
          features: [...features] as NonNullable<OrganizationsUpdateBody['features']>, // values of the catalogue
          rate_margin_bps: Number(field('rate_margin_bps')),
          payouts_require_kyb: requiresKyb,
          own_accounts_only: isOwnOnly,
        }
        await api.organizations.update(organization.org_id, body, { idempotencyKey })
        showToast(text.saved)
        await client.invalidateQueries({ queryKey: ['organization'] })
      }}
    >
      <Checks legend={text.features} options={known} chosen={features} onChange={setFeatures} />
      <TextField
        name="rate_margin_bps"
        label={text.marginField}
        inputMode="numeric"
        pattern="\d+"
        required
        defaultValue={organization.rate_margin_bps}
      />
      <Check label={text.requiresKyb} isChecked={requiresKyb} onChange={setRequiresKyb} />
      <Check label={text.ownOnly} isChecked={isOwnOnly} onChange={setOwnOnly} />
    </FormDialog>
  )
}
