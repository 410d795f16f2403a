import { lazy, Suspense, useState, type ComponentType, type ReactElement } from 'react'
import { Link, matchRoutes, useRouteError, type RouteObject } from 'react-router'
import { states } from './messages/generated/texts.ts'
import { basePath, paths } from './paths.ts'
import { expectScreen } from './shell/first-screen.ts'
import { Shell } from './shell/shell.tsx'
import { buttonClass } from './ui/button.tsx'
import { Page } from './ui/page.tsx'
import { ErrorState, Skeleton } from './ui/states.tsx'

type LoadScreen = () => Promise<{ Screen: ComponentType }>

/** Each screen is a separate file, fetched when it is first opened. */
function screen(path: string, load: LoadScreen): RouteObject {
  let loaded: ComponentType | undefined
  const loadScreen = async (): Promise<{ default: ComponentType }> => {
    const { Screen } = await load()
    loaded = Screen
    return { default: Screen }
  }
  const Lazy = lazy(loadScreen)
  const Place = (): ReactElement => {
    const [Screen] = useState<ComponentType>(() => loaded ?? Lazy)
    return (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Screen />
      </Suspense>
    )
  }
  return { path, element: <Place />, handle: loadScreen }
}

const NotFound = (): ReactElement => (
  <Page title={states.notFound}>
    <div>
      <Link className={buttonClass(false)} to={paths.home}>
        {states.backHome}
      </Link>
    </div>
  </Page>
)

const Broken = (): ReactElement => <ErrorState error={useRouteError()} onRetry={() => location.reload()} />

export const routes: RouteObject[] = [
  { ...screen(paths.signIn, () => import('./screens/sign-in/screen.tsx')), errorElement: <Broken /> },
  {
    element: <Shell />,
    errorElement: <Broken />,
    children: [
      screen(paths.home, () => import('./screens/home/screen.tsx')),
      screen(paths.payments, () => import('./screens/payments/screen.tsx')),
      screen(paths.newPayment, () => import('./screens/new-payment/screen.tsx')),
      screen(paths.newRamp, () => import('./screens/new-ramp/screen.tsx')),
      screen(paths.payment, () => import('./screens/payment/screen.tsx')),
      screen(paths.approvals, () => import('./screens/approvals/screen.tsx')),
      screen(paths.approval, () => import('./screens/approval/screen.tsx')),
      screen(paths.changeRequest, () => import('./screens/change-request/screen.tsx')),
      screen(paths.exceptions, () => import('./screens/exceptions/screen.tsx')),
      screen(paths.exception, () => import('./screens/exception/screen.tsx')),
      screen(paths.matches, () => import('./screens/sanctions-matches/screen.tsx')),
      screen(paths.match, () => import('./screens/sanctions-match/screen.tsx')),
      screen(paths.sanctionsLists, () => import('./screens/sanctions-lists/screen.tsx')),
      screen(paths.disputes, () => import('./screens/disputes/screen.tsx')),
      screen(paths.dispute, () => import('./screens/dispute/screen.tsx')),
      screen(paths.refunds, () => import('./screens/refunds/screen.tsx')),
      screen(paths.reconciliation, () => import('./screens/reconciliation/screen.tsx')),
      screen(paths.payoutBatches, () => import('./screens/payout-batches/screen.tsx')),
      screen(paths.newPayoutBatch, () => import('./screens/new-payout-batch/screen.tsx')),
      screen(paths.payoutBatch, () => import('./screens/payout-batch/screen.tsx')),
      screen(paths.inbox, () => import('./screens/inbox/screen.tsx')),
      screen(paths.analytics, () => import('./screens/analytics/screen.tsx')),
      screen(paths.routing, () => import('./screens/routing/screen.tsx')),
      screen(paths.routingPolicy, () => import('./screens/routing-policy/screen.tsx')),
      screen(paths.providerAccounts, () => import('./screens/provider-accounts/screen.tsx')),
      screen(paths.providerHealth, () => import('./screens/provider-health/screen.tsx')),
      screen(paths.screening, () => import('./screens/screening/screen.tsx')),
      screen(paths.webhooks, () => import('./screens/webhooks/screen.tsx')),
      screen(paths.webhook, () => import('./screens/webhook/screen.tsx')),
      screen(paths.deliveries, () => import('./screens/webhook-deliveries/screen.tsx')),
      screen(paths.delivery, () => import('./screens/webhook-delivery/screen.tsx')),
      screen(paths.events, () => import('./screens/events/screen.tsx')),
      screen(paths.event, () => import('./screens/event/screen.tsx')),
      screen(paths.deadLetters, () => import('./screens/dead-letters/screen.tsx')),
      screen(paths.apiKeys, () => import('./screens/api-keys/screen.tsx')),
      screen(paths.requestLog, () => import('./screens/request-log/screen.tsx')),
      screen(paths.members, () => import('./screens/members/screen.tsx')),
      screen(paths.member, () => import('./screens/member/screen.tsx')),
      screen(paths.invitations, () => import('./screens/invitations/screen.tsx')),
      screen(paths.auditLog, () => import('./screens/audit-log/screen.tsx')),
      screen(paths.settings, () => import('./screens/settings/screen.tsx')),
      screen(paths.organizations, () => import('./screens/organizations/screen.tsx')),
      screen(paths.organization, () => import('./screens/organization/screen.tsx')),
      screen(paths.installation, () => import('./screens/installation/screen.tsx')),
      screen(paths.beneficiaries, () => import('./screens/beneficiaries/screen.tsx')),
      screen(paths.beneficiary, () => import('./screens/beneficiary/screen.tsx')),
      screen(paths.paymentLinks, () => import('./screens/payment-links/screen.tsx')),
      screen(paths.balances, () => import('./screens/balances/screen.tsx')),
      screen(paths.ledger, () => import('./screens/ledger/screen.tsx')),
      screen(paths.adjustments, () => import('./screens/adjustments/screen.tsx')),
      screen(paths.virtualAccounts, () => import('./screens/virtual-accounts/screen.tsx')),
      screen(paths.virtualAccount, () => import('./screens/virtual-account/screen.tsx')),
      screen(paths.escrows, () => import('./screens/escrows/screen.tsx')),
      screen(paths.escrow, () => import('./screens/escrow/screen.tsx')),
      screen(paths.verificationRequests, () => import('./screens/verification-requests/screen.tsx')),
      screen(paths.sessions, () => import('./screens/sessions/screen.tsx')),
      { path: '*', element: <NotFound /> },
    ],
  },
]

/** Starts to fetch the screen of this page, which is shown once the session has been read. */
export function prefetchScreen(): void {
  const route = matchRoutes(routes, location, basePath)?.at(-1)?.route
  const load = route?.handle as (() => Promise<unknown>) | undefined // set by screen()
  // If this fails, the screen is fetched again when it is shown.
  if (load) expectScreen(load().catch(() => undefined))
}
