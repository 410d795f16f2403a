import type { Organization } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { dataKeys, settings as text } from '../../messages/generated/texts.ts'
import { useIdentity, useMay } from '../../shell/session.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import work from '../../ui/work.module.css'
import { Branding } from './branding.tsx'
import { DataKey } from './data-key.tsx'
import { FeeQuote } from './fee-quote.tsx'
import { Fees } from './fees.tsx'
import { Policies } from './policies.tsx'
import { Profile } from './profile.tsx'
import styles from './settings.module.css'
import { Verification } from './verification.tsx'

export function Screen(): ReactElement {
  const { org_id } = useIdentity().me
  const { data, error, refetch } = useQuery({
    queryKey: ['organization', org_id],
    queryFn: ({ signal }) => api.organizations.get(org_id, { signal }),
  })
  return (
    <Page title={text.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <Views organization={data} />}
    </Page>
  )
}

const FeeViews = ({ orgId }: { orgId: string }): ReactElement => (
  <div className={work.stack}>
    <Fees orgId={orgId} />
    <FeeQuote />
  </div>
)

function Views({ organization }: { organization: Organization }): ReactElement {
  const maySeePolicies = useMay('approval-policies:read')
  const maySeeFees = useMay('payments:read')
  const mayRotate = useMay('organizations:write')
  const views = [
    { id: 'profile', label: text.profile, content: <Profile organization={organization} /> },
    { id: 'branding', label: text.branding, content: <Branding organization={organization} /> },
    { id: 'verification', label: text.verification, content: <Verification organization={organization} /> },
    ...(maySeePolicies
      ? [{ id: 'approvals', label: text.approvals, content: <Policies orgId={organization.org_id} /> }]
      : []),
    ...(maySeeFees
      ? [{ id: 'fees', label: text.fees, content: <FeeViews orgId={organization.org_id} /> }]
      : []),
    ...(mayRotate
      ? [{ id: 'data-key', label: dataKeys.title, content: <DataKey orgId={organization.org_id} /> }]
      : []),
  ]
  return (
    <Tabs
      label={text.views}
      tabs={views.map((view) => ({ ...view, content: <div className={styles.view}>{view.content}</div> }))}
    />
  )
}
