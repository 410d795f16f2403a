import { holdRoutes } from '../domains/office/privacy/holds/routes.ts'
import { privacyRoutes } from '../domains/office/privacy/routes.ts'
import { analyticsRoutes } from '../domains/records/analytics/routes.ts'
import { apiKeyRoutes } from '../domains/people/api-keys/routes.ts'
import { approvalPolicyRoutes } from '../domains/pricing/approval-policies/routes.ts'
import { auditBlockRoutes } from '../domains/records/audit-log/blocks/routes.ts'
import { auditLogRoutes } from '../domains/records/audit-log/routes.ts'
import { balanceRoutes } from '../domains/pricing/balances/routes.ts'
import { bankValidationRoutes } from '../domains/parties/bank-validation/routes.ts'
import { bankRoutes } from '../domains/providers/banks/routes.ts'
import { beneficiaryRoutes } from '../domains/parties/beneficiaries/routes.ts'
import { catalogRoutes } from '../domains/providers/catalog/routes.ts'
import { changeRequestRoutes } from '../domains/people/change-requests/routes.ts'
import { empowermentRoutes } from '../domains/people/empowerments/routes.ts'
import { checkoutRoutes } from '../domains/products/checkout/routes.ts'
import { dataKeyRoutes } from '../domains/records/data-keys/routes.ts'
import { evidenceRoutes } from '../domains/after/disputes/evidence/routes.ts'
import { disputeRoutes } from '../domains/after/disputes/routes.ts'
import { disbursementRoutes } from '../domains/products/escrow/disbursements/routes.ts'
import { milestoneRoutes } from '../domains/products/escrow/milestones/routes.ts'
import { escrowRoutes } from '../domains/products/escrow/routes.ts'
import { exceptionRoutes } from '../domains/people/exceptions/routes.ts'
import { feeRoutes } from '../domains/pricing/fees/routes.ts'
import { ledgerAdjustmentRoutes } from '../domains/after/ledger-adjustments/routes.ts'
import { ledgerTransferRoutes } from '../domains/records/ledger-transfers/routes.ts'
import { kybRoutes } from '../domains/compliance/kyb/routes.ts'
import { networkRoutes } from '../domains/providers/networks/routes.ts'
import { notificationRoutes } from '../domains/people/notifications/routes.ts'
import { invitationRoutes } from '../domains/people/organizations/invitations/routes.ts'
import { memberRoutes } from '../domains/people/organizations/members/routes.ts'
import { organizationRoutes } from '../domains/people/organizations/routes.ts'
import { paymentLinkRoutes } from '../domains/parties/payment-links/routes.ts'
import { paymentFeeRoutes } from '../domains/payments/reads/fees/routes.ts'
import { initiationRoutes } from '../domains/payments/initiation/routes.ts'
import { platformRoutes } from '../domains/office/platform/routes.ts'
import { previewRoutes } from '../domains/payments/reads/preview/routes.ts'
import { providerHealthRoutes } from '../domains/payments/reads/provider-health/routes.ts'
import { refundRoutes } from '../domains/payments/refunds/routes.ts'
import { resolutionRoutes } from '../domains/payments/resolutions/routes.ts'
import { reviewRoutes } from '../domains/payments/reviews/routes.ts'
import { paymentRoutes } from '../domains/payments/routes.ts'
import { payoutBatchRoutes } from '../domains/products/payout-batches/routes.ts'
import { timelineRoutes } from '../domains/payments/reads/timeline/routes.ts'
import { transactionRoutes } from '../domains/payments/reads/transactions/routes.ts'
import { providerAccountRoutes } from '../domains/providers/accounts/routes.ts'
import { providerConfigRoutes } from '../domains/providers/configs/routes.ts'
import { providerWebhookRoutes } from '../domains/after/provider-webhooks/routes.ts'
import { rampRoutes } from '../domains/products/ramps/routes.ts'
import { screeningRoutes } from '../domains/products/ramps/screening/routes.ts'
import { rateRoutes } from '../domains/pricing/rates/routes.ts'
import { reconciliationRoutes } from '../domains/after/reconciliation/routes.ts'
import { routingPolicyRoutes } from '../domains/routing/policies/routes.ts'
import { routingHealthRoutes } from '../domains/routing/signals/history/routes.ts'
import { simulationRoutes } from '../domains/routing/simulations/routes.ts'
import { maintenanceRoutes } from '../domains/routing/signals/maintenance/routes.ts'
import { sanctionsListRoutes } from '../domains/compliance/sanctions/lists/routes.ts'
import { sanctionsMatchRoutes } from '../domains/compliance/sanctions/matches/routes.ts'
import { sessionRoutes } from '../domains/office/sessions/routes.ts'
import { requestLogRoutes } from '../domains/office/request-log/routes.ts'
import { suspensionRoutes } from '../domains/compliance/suspensions/routes.ts'
import { verificationRequestRoutes } from '../domains/products/verification-requests/routes.ts'
import { depositRoutes } from '../domains/products/virtual-accounts/deposits/routes.ts'
import { virtualAccountRoutes } from '../domains/products/virtual-accounts/routes.ts'
import { virtualTransactionRoutes } from '../domains/products/virtual-accounts/transactions/routes.ts'
import { waitingRoutes } from '../domains/office/waiting/routes.ts'
import { deliveryRoutes } from '../domains/events/webhooks/deliveries/routes.ts'
import { webhookRoutes } from '../domains/events/webhooks/routes.ts'
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
  empowermentRoutes,
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
