import { holdRoutes } from '../domains/privacy/holds/routes.ts'
import { privacyRoutes } from '../domains/privacy/routes.ts'
import { analyticsRoutes } from '../domains/analytics/routes.ts'
import { apiKeyRoutes } from '../domains/api-keys/routes.ts'
import { approvalPolicyRoutes } from '../domains/approval-policies/routes.ts'
import { auditBlockRoutes } from '../domains/audit-log/blocks/routes.ts'
import { auditLogRoutes } from '../domains/audit-log/routes.ts'
import { balanceRoutes } from '../domains/balances/routes.ts'
import { bankValidationRoutes } from '../domains/bank-validation/routes.ts'
import { bankRoutes } from '../domains/banks/routes.ts'
import { beneficiaryRoutes } from '../domains/beneficiaries/routes.ts'
import { catalogRoutes } from '../domains/catalog/routes.ts'
import { changeRequestRoutes } from '../domains/change-requests/routes.ts'
import { checkoutRoutes } from '../domains/checkout/routes.ts'
import { dataKeyRoutes } from '../domains/data-keys/routes.ts'
import { evidenceRoutes } from '../domains/disputes/evidence/routes.ts'
import { disputeRoutes } from '../domains/disputes/routes.ts'
import { disbursementRoutes } from '../domains/escrow/disbursements/routes.ts'
import { milestoneRoutes } from '../domains/escrow/milestones/routes.ts'
import { escrowRoutes } from '../domains/escrow/routes.ts'
import { exceptionRoutes } from '../domains/exceptions/routes.ts'
import { feeRoutes } from '../domains/fees/routes.ts'
import { ledgerAdjustmentRoutes } from '../domains/ledger-adjustments/routes.ts'
import { ledgerTransferRoutes } from '../domains/ledger-transfers/routes.ts'
import { kybRoutes } from '../domains/kyb/routes.ts'
import { networkRoutes } from '../domains/networks/routes.ts'
import { notificationRoutes } from '../domains/notifications/routes.ts'
import { invitationRoutes } from '../domains/organizations/invitations/routes.ts'
import { memberRoutes } from '../domains/organizations/members/routes.ts'
import { organizationRoutes } from '../domains/organizations/routes.ts'
import { paymentLinkRoutes } from '../domains/payment-links/routes.ts'
import { paymentFeeRoutes } from '../domains/payments/fees/routes.ts'
import { initiationRoutes } from '../domains/payments/initiation/routes.ts'
import { platformRoutes } from '../domains/platform/routes.ts'
import { previewRoutes } from '../domains/payments/preview/routes.ts'
import { providerHealthRoutes } from '../domains/payments/provider-health/routes.ts'
import { refundRoutes } from '../domains/payments/refunds/routes.ts'
import { resolutionRoutes } from '../domains/payments/resolutions/routes.ts'
import { reviewRoutes } from '../domains/payments/reviews/routes.ts'
import { paymentRoutes } from '../domains/payments/routes.ts'
import { payoutBatchRoutes } from '../domains/payout-batches/routes.ts'
import { timelineRoutes } from '../domains/payments/timeline/routes.ts'
import { transactionRoutes } from '../domains/payments/transactions/routes.ts'
import { providerAccountRoutes } from '../domains/provider-accounts/routes.ts'
import { providerConfigRoutes } from '../domains/provider-configs/routes.ts'
import { providerWebhookRoutes } from '../domains/provider-webhooks/routes.ts'
import { rampRoutes } from '../domains/ramps/routes.ts'
import { screeningRoutes } from '../domains/ramps/screening/routes.ts'
import { rateRoutes } from '../domains/rates/routes.ts'
import { reconciliationRoutes } from '../domains/reconciliation/routes.ts'
import { routingPolicyRoutes } from '../domains/routing-policies/routes.ts'
import { routingHealthRoutes } from '../domains/routing-signals/history/routes.ts'
import { simulationRoutes } from '../domains/routing-simulations/routes.ts'
import { maintenanceRoutes } from '../domains/routing-signals/maintenance/routes.ts'
import { sanctionsListRoutes } from '../domains/sanctions/lists/routes.ts'
import { sanctionsMatchRoutes } from '../domains/sanctions/matches/routes.ts'
import { sessionRoutes } from '../domains/sessions/routes.ts'
import { requestLogRoutes } from '../domains/request-log/routes.ts'
import { suspensionRoutes } from '../domains/suspensions/routes.ts'
import { verificationRequestRoutes } from '../domains/verification-requests/routes.ts'
import { depositRoutes } from '../domains/virtual-accounts/deposits/routes.ts'
import { virtualAccountRoutes } from '../domains/virtual-accounts/routes.ts'
import { virtualTransactionRoutes } from '../domains/virtual-accounts/transactions/routes.ts'
import { waitingRoutes } from '../domains/waiting/routes.ts'
import { deliveryRoutes } from '../domains/webhooks/deliveries/routes.ts'
import { webhookRoutes } from '../domains/webhooks/routes.ts'
import type { App } from '../http/app.ts'
import type { Deps } from './deps.ts'

/** Every routes.ts of every domain, in the order of the reference page. */
const routeGroups: readonly ((app: App, deps: Deps) => void)[] = [
  initiationRoutes,
  previewRoutes,
  paymentRoutes,
  reviewRoutes,
  resolutionRoutes,
  rampRoutes,
  timelineRoutes,
  transactionRoutes,
  refundRoutes,
  disputeRoutes,
  evidenceRoutes,
  payoutBatchRoutes,
  paymentLinkRoutes,
  checkoutRoutes,
  analyticsRoutes,
  rateRoutes,
  networkRoutes,
  catalogRoutes,
  bankRoutes,
  beneficiaryRoutes,
  bankValidationRoutes,
  virtualAccountRoutes,
  virtualTransactionRoutes,
  escrowRoutes,
  milestoneRoutes,
  disbursementRoutes,
  webhookRoutes,
  deliveryRoutes,
  apiKeyRoutes,
  exceptionRoutes,
  ledgerAdjustmentRoutes,
  ledgerTransferRoutes,
  depositRoutes,
  reconciliationRoutes,
  providerConfigRoutes,
  providerAccountRoutes,
  providerHealthRoutes,
  routingPolicyRoutes,
  routingHealthRoutes,
  maintenanceRoutes,
  simulationRoutes,
  screeningRoutes,
  sanctionsMatchRoutes,
  providerWebhookRoutes,
  platformRoutes,
  suspensionRoutes,
  sanctionsListRoutes,
  organizationRoutes,
  auditLogRoutes,
  auditBlockRoutes,
  requestLogRoutes,
  dataKeyRoutes,
  privacyRoutes,
  holdRoutes,
  kybRoutes,
  memberRoutes,
  invitationRoutes,
  approvalPolicyRoutes,
  balanceRoutes,
  feeRoutes,
  paymentFeeRoutes,
  changeRequestRoutes,
  notificationRoutes,
  waitingRoutes,
  verificationRequestRoutes,
  sessionRoutes,
]

export const apiRoutes =
  (deps: Deps) =>
  (app: App): void => {
    for (const register of routeGroups) register(app, deps)
  }
