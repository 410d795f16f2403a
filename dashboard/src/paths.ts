/** Every address of the dashboard, below `/dashboard`. */
export const paths = {
  home: '/',
  payments: '/payments',
  newPayment: '/payments/new',
  newRamp: '/payments/new-ramp',
  payment: '/payments/:paymentId',
  approvals: '/approvals',
  approval: '/approvals/payments/:paymentId',
  changeRequest: '/approvals/changes/:orgId/:requestId',
  exceptions: '/exceptions',
  exception: '/exceptions/:exceptionId',
  matches: '/sanctions-matches',
  match: '/sanctions-matches/:matchId',
  sanctionsLists: '/sanctions-matches/lists',
  disputes: '/disputes',
  dispute: '/disputes/:disputeId',
  refunds: '/refunds',
  reconciliation: '/reconciliation',
  payoutBatches: '/payout-batches',
  newPayoutBatch: '/payout-batches/new',
  payoutBatch: '/payout-batches/:batchId',
  inbox: '/inbox',
  analytics: '/analytics',
  routing: '/routing',
  routingPolicy: '/routing-policy',
  providerAccounts: '/provider-accounts',
  providerHealth: '/provider-health',
  screening: '/screening',
  webhooks: '/webhooks',
  webhook: '/webhooks/:webhookId',
  deliveries: '/webhooks/:webhookId/deliveries',
  delivery: '/webhooks/:webhookId/deliveries/:deliveryId',
  events: '/webhooks/events',
  event: '/webhooks/events/:eventId',
  deadLetters: '/webhooks/dead-letters',
  apiKeys: '/api-keys',
  requestLog: '/request-log',
  members: '/members',
  member: '/members/:userId',
  invitations: '/invitations',
  auditLog: '/audit-log',
  settings: '/settings',
  organizations: '/organizations',
  organization: '/organizations/:orgId',
  installation: '/installation',
  beneficiaries: '/beneficiaries',
  beneficiary: '/beneficiaries/:beneficiaryId',
  paymentLinks: '/payment-links',
  balances: '/balances',
  ledger: '/balances/ledger',
  adjustments: '/balances/adjustments',
  virtualAccounts: '/virtual-accounts',
  virtualAccount: '/virtual-accounts/:accountId',
  escrows: '/escrows',
  escrow: '/escrows/:escrowId',
  verificationRequests: '/verification-requests',
  sessions: '/sessions',
  signIn: '/sign-in',
} as const

export const paymentPath = (paymentId: string): string => `${paths.payments}/${paymentId}`

export const approvalPath = (paymentId: string): string => `${paths.approvals}/payments/${paymentId}`

export const changeRequestPath = (orgId: string, requestId: string): string =>
  `${paths.approvals}/changes/${orgId}/${requestId}`

export const exceptionPath = (exceptionId: string): string => `${paths.exceptions}/${exceptionId}`

export const matchPath = (matchId: string): string => `${paths.matches}/${matchId}`

export const disputePath = (disputeId: string): string => `${paths.disputes}/${disputeId}`
export const webhookPath = (webhookId: string): string => `${paths.webhooks}/${webhookId}`
export const deliveriesPath = (webhookId: string): string => `${webhookPath(webhookId)}/deliveries`
export const deliveryPath = (webhookId: string, deliveryId: string): string =>
  `${deliveriesPath(webhookId)}/${deliveryId}`
export const eventPath = (eventId: string): string => `${paths.events}/${eventId}`

export const memberPath = (userId: string): string => `${paths.members}/${encodeURIComponent(userId)}`

export const organizationPath = (orgId: string): string => `${paths.organizations}/${orgId}`

export const payoutBatchPath = (batchId: string): string => `${paths.payoutBatches}/${batchId}`

export const beneficiaryPath = (beneficiaryId: string): string => `${paths.beneficiaries}/${beneficiaryId}`

export const virtualAccountPath = (accountId: string): string => `${paths.virtualAccounts}/${accountId}`

export const escrowPath = (escrowId: string): string => `${paths.escrows}/${escrowId}`

export const basePath = '/dashboard'

/** The page that the identity provider redirects back to. */
export const loginUrl = (returnTo: string, prompt?: 'login'): string => {
  const query = new URLSearchParams({ return_to: returnTo, ...(prompt && { prompt }) })
  return `/auth/login?${query.toString()}`
}
