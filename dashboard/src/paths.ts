/** Every address of the dashboard, below `/dashboard`. */
export const paths = {
  home: '/',
  payments: '/payments',
  payment: '/payments/:paymentId',
  approvals: '/approvals',
  approval: '/approvals/payments/:paymentId',
  changeRequest: '/approvals/changes/:orgId/:requestId',
  exceptions: '/exceptions',
  exception: '/exceptions/:exceptionId',
  disputes: '/disputes',
  dispute: '/disputes/:disputeId',
  refunds: '/refunds',
  reconciliation: '/reconciliation',
  payoutBatches: '/payout-batches',
  newPayoutBatch: '/payout-batches/new',
  payoutBatch: '/payout-batches/:batchId',
  sessions: '/sessions',
  signIn: '/sign-in',
} as const

export const paymentPath = (paymentId: string): string => `${paths.payments}/${paymentId}`

export const approvalPath = (paymentId: string): string => `${paths.approvals}/payments/${paymentId}`

export const changeRequestPath = (orgId: string, requestId: string): string =>
  `${paths.approvals}/changes/${orgId}/${requestId}`

export const exceptionPath = (exceptionId: string): string => `${paths.exceptions}/${exceptionId}`

export const disputePath = (disputeId: string): string => `${paths.disputes}/${disputeId}`

export const payoutBatchPath = (batchId: string): string => `${paths.payoutBatches}/${batchId}`

export const basePath = '/dashboard'

/** Where the identity provider sends the person back to. */
export const loginUrl = (returnTo: string, prompt?: 'login'): string => {
  const query = new URLSearchParams({ return_to: returnTo, ...(prompt && { prompt }) })
  return `/auth/login?${query.toString()}`
}
