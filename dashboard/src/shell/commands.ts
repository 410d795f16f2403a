import { routingPolicies, shell } from '../messages/generated/texts.ts'
import { paths } from '../paths.ts'
import type { Permission } from './session.tsx'

/** A screen of the navigation. Its key follows `g`. */
export interface Destination {
  path: string
  label: string
  key: string
  group: string
  /** People without this permission do not see the screen. */
  permission?: Permission
  feature?: string
  /** An action rather than a screen: it is in the command palette and has a key, but is not in the navigation. */
  isAction?: true
}

const destinations: readonly Destination[] = [
  { path: paths.home, label: shell.screens.home, key: 'h', group: shell.navigation.overview },
  { path: paths.inbox, label: shell.screens.inbox, key: 'i', group: shell.navigation.overview },
  {
    path: paths.payments,
    label: shell.screens.payments,
    key: 'p',
    group: shell.navigation.money,
    permission: 'payments:read',
  },
  {
    path: paths.newPayment,
    label: shell.screens.newPayment,
    key: '1',
    group: shell.navigation.money,
    permission: 'payments:write',
    isAction: true,
  },
  {
    path: paths.newRamp,
    label: shell.screens.newRamp,
    key: '2',
    group: shell.navigation.money,
    permission: 'payments:write',
    isAction: true,
  },
  {
    path: paths.approvals,
    label: shell.screens.approvals,
    key: 'a',
    group: shell.navigation.money,
    permission: 'payouts:approve',
  },
  {
    path: `${paths.exceptions}?status=open`,
    label: shell.screens.exceptions,
    key: 'e',
    group: shell.navigation.money,
    permission: 'exceptions:read',
  },
  {
    path: `${paths.matches}?status=open`,
    label: shell.screens.matches,
    key: '6',
    group: shell.navigation.money,
    permission: 'screening:read',
  },
  {
    path: `${paths.disputes}?state=needs_response`,
    label: shell.screens.disputes,
    key: 'd',
    group: shell.navigation.money,
    permission: 'disputes:read',
  },
  {
    path: paths.refunds,
    label: shell.screens.refunds,
    key: 'r',
    group: shell.navigation.money,
    permission: 'payments:read',
  },
  {
    path: paths.reconciliation,
    label: shell.screens.reconciliation,
    key: 'c',
    group: shell.navigation.money,
    permission: 'exceptions:read',
  },
  {
    path: paths.payoutBatches,
    label: shell.screens.payoutBatches,
    key: 'b',
    group: shell.navigation.money,
    permission: 'payments:read',
  },
  {
    path: paths.beneficiaries,
    label: shell.screens.beneficiaries,
    key: 'f',
    group: shell.navigation.money,
    permission: 'beneficiaries:read',
  },
  {
    path: paths.paymentLinks,
    label: shell.screens.paymentLinks,
    key: 't',
    group: shell.navigation.money,
    permission: 'payment-links:read',
  },
  {
    path: paths.balances,
    label: shell.screens.balances,
    key: 'g',
    group: shell.navigation.money,
    permission: 'payments:read',
  },
  {
    path: paths.virtualAccounts,
    label: shell.screens.virtualAccounts,
    key: 'v',
    group: shell.navigation.money,
    permission: 'virtual-accounts:read',
  },
  {
    path: paths.escrows,
    label: shell.screens.escrows,
    key: '3',
    group: shell.navigation.money,
    permission: 'escrow:read',
    feature: 'escrow',
  },
  {
    path: paths.verificationRequests,
    label: shell.screens.verificationRequests,
    key: '4',
    group: shell.navigation.money,
    permission: 'payments:read',
  },
  {
    path: paths.analytics,
    label: shell.screens.analytics,
    key: 'y',
    group: shell.navigation.analytics,
    permission: 'analytics:read',
  },
  {
    path: paths.routing,
    label: shell.screens.routing,
    key: 'o',
    group: shell.navigation.routing,
    permission: 'provider-configs:read',
  },
  {
    path: paths.routingPolicy,
    label: routingPolicies.title,
    key: '5',
    group: shell.navigation.routing,
    permission: 'provider-configs:read',
  },
  {
    path: paths.providerAccounts,
    label: shell.screens.providerAccounts,
    key: 'q',
    group: shell.navigation.routing,
    permission: 'provider-configs:read',
  },
  {
    path: paths.providerHealth,
    label: shell.screens.providerHealth,
    key: 'j',
    group: shell.navigation.routing,
    permission: 'provider-configs:read',
  },
  {
    path: paths.screening,
    label: shell.screens.screening,
    key: 'z',
    group: shell.navigation.routing,
    permission: 'provider-configs:read',
  },
  {
    path: paths.webhooks,
    label: shell.screens.webhooks,
    key: 'w',
    group: shell.navigation.developers,
    permission: 'webhooks:read',
  },
  {
    path: paths.apiKeys,
    label: shell.screens.apiKeys,
    key: 'k',
    group: shell.navigation.developers,
    permission: 'api-keys:read',
  },
  {
    path: paths.requestLog,
    label: shell.screens.requestLog,
    key: 'l',
    group: shell.navigation.developers,
    permission: 'audit-log:read',
  },
  {
    path: paths.members,
    label: shell.screens.members,
    key: 'm',
    group: shell.navigation.organization,
    permission: 'members:read',
  },
  {
    path: paths.auditLog,
    label: shell.screens.auditLog,
    key: 'u',
    group: shell.navigation.organization,
    permission: 'audit-log:read',
  },
  {
    path: paths.settings,
    label: shell.screens.settings,
    key: ',',
    group: shell.navigation.organization,
    permission: 'organizations:read',
  },
  {
    path: paths.organizations,
    label: shell.screens.organizations,
    key: 'n',
    group: shell.navigation.operator,
    permission: 'platform:read',
  },
  {
    path: paths.installation,
    label: shell.screens.installation,
    key: 'x',
    group: shell.navigation.operator,
    permission: 'platform:read',
  },
  { path: paths.sessions, label: shell.screens.sessions, key: 's', group: shell.navigation.account },
]

interface Access {
  permissions: readonly string[]
  features: readonly string[]
}

export const destinationsFor = ({ permissions, features }: Access): Destination[] =>
  destinations.filter(
    ({ permission, feature }) =>
      (permission === undefined || permissions.includes(permission)) &&
      (feature === undefined || features.includes(feature)),
  )
