import { lazy, Suspense, type ComponentType, type ReactElement } from 'react'
import { Link, useRouteError, type RouteObject } from 'react-router'
import { states } from './messages/en/states.ts'
import { paths } from './paths.ts'
import { Shell } from './shell/shell.tsx'
import { buttonClass } from './ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from './ui/states.tsx'

/** Each screen is a file of its own, fetched when it is opened first. */
function screen(load: () => Promise<{ Screen: ComponentType }>): ReactElement {
  const Screen = lazy(async () => ({ default: (await load()).Screen }))
  return (
    <Suspense fallback={<Skeleton lines={4} />}>
      <Screen />
    </Suspense>
  )
}

const NotFound = (): ReactElement => (
  <EmptyState
    title={states.notFound}
    action={
      <Link className={buttonClass(false)} to={paths.home}>
        {states.backHome}
      </Link>
    }
  />
)

const Broken = (): ReactElement => <ErrorState error={useRouteError()} onRetry={() => location.reload()} />

export const routes: RouteObject[] = [
  {
    path: paths.signIn,
    element: screen(() => import('./screens/sign-in/screen.tsx')),
    errorElement: <Broken />,
  },
  {
    element: <Shell />,
    errorElement: <Broken />,
    children: [
      { path: paths.home, element: screen(() => import('./screens/home/screen.tsx')) },
      { path: paths.payments, element: screen(() => import('./screens/payments/screen.tsx')) },
      { path: paths.payment, element: screen(() => import('./screens/payment/screen.tsx')) },
      { path: paths.approvals, element: screen(() => import('./screens/approvals/screen.tsx')) },
      { path: paths.approval, element: screen(() => import('./screens/approval/screen.tsx')) },
      { path: paths.changeRequest, element: screen(() => import('./screens/change-request/screen.tsx')) },
      { path: paths.exceptions, element: screen(() => import('./screens/exceptions/screen.tsx')) },
      { path: paths.exception, element: screen(() => import('./screens/exception/screen.tsx')) },
      { path: paths.disputes, element: screen(() => import('./screens/disputes/screen.tsx')) },
      { path: paths.dispute, element: screen(() => import('./screens/dispute/screen.tsx')) },
      { path: paths.refunds, element: screen(() => import('./screens/refunds/screen.tsx')) },
      { path: paths.reconciliation, element: screen(() => import('./screens/reconciliation/screen.tsx')) },
      { path: paths.payoutBatches, element: screen(() => import('./screens/payout-batches/screen.tsx')) },
      { path: paths.newPayoutBatch, element: screen(() => import('./screens/new-payout-batch/screen.tsx')) },
      { path: paths.payoutBatch, element: screen(() => import('./screens/payout-batch/screen.tsx')) },
      { path: paths.inbox, element: screen(() => import('./screens/inbox/screen.tsx')) },
      { path: paths.analytics, element: screen(() => import('./screens/analytics/screen.tsx')) },
      { path: paths.routing, element: screen(() => import('./screens/routing/screen.tsx')) },
      {
        path: paths.providerAccounts,
        element: screen(() => import('./screens/provider-accounts/screen.tsx')),
      },
      { path: paths.providerHealth, element: screen(() => import('./screens/provider-health/screen.tsx')) },
      { path: paths.screening, element: screen(() => import('./screens/screening/screen.tsx')) },
      { path: paths.webhooks, element: screen(() => import('./screens/webhooks/screen.tsx')) },
      { path: paths.webhook, element: screen(() => import('./screens/webhook/screen.tsx')) },
      { path: paths.deliveries, element: screen(() => import('./screens/webhook-deliveries/screen.tsx')) },
      { path: paths.delivery, element: screen(() => import('./screens/webhook-delivery/screen.tsx')) },
      { path: paths.events, element: screen(() => import('./screens/events/screen.tsx')) },
      { path: paths.event, element: screen(() => import('./screens/event/screen.tsx')) },
      { path: paths.deadLetters, element: screen(() => import('./screens/dead-letters/screen.tsx')) },
      { path: paths.apiKeys, element: screen(() => import('./screens/api-keys/screen.tsx')) },
      { path: paths.requestLog, element: screen(() => import('./screens/request-log/screen.tsx')) },
      { path: paths.members, element: screen(() => import('./screens/members/screen.tsx')) },
      { path: paths.member, element: screen(() => import('./screens/member/screen.tsx')) },
      { path: paths.invitations, element: screen(() => import('./screens/invitations/screen.tsx')) },
      { path: paths.auditLog, element: screen(() => import('./screens/audit-log/screen.tsx')) },
      { path: paths.settings, element: screen(() => import('./screens/settings/screen.tsx')) },
      { path: paths.organizations, element: screen(() => import('./screens/organizations/screen.tsx')) },
      { path: paths.organization, element: screen(() => import('./screens/organization/screen.tsx')) },
      { path: paths.installation, element: screen(() => import('./screens/installation/screen.tsx')) },
      { path: paths.beneficiaries, element: screen(() => import('./screens/beneficiaries/screen.tsx')) },
      { path: paths.beneficiary, element: screen(() => import('./screens/beneficiary/screen.tsx')) },
      { path: paths.paymentLinks, element: screen(() => import('./screens/payment-links/screen.tsx')) },
      { path: paths.sessions, element: screen(() => import('./screens/sessions/screen.tsx')) },
      { path: '*', element: <NotFound /> },
    ],
  },
]
