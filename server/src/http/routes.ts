import { analyticsRoutes } from '../domains/analytics/routes.ts'
import { apiKeyRoutes } from '../domains/api-keys/routes.ts'
import { approvalPolicyRoutes } from '../domains/approval-policies/routes.ts'
import { auditLogRoutes } from '../domains/audit-log/routes.ts'
import { bankValidationRoutes } from '../domains/bank-validation/routes.ts'
import { beneficiaryRoutes } from '../domains/beneficiaries/routes.ts'
import { checkoutRoutes } from '../domains/checkout/routes.ts'
import { dataKeyRoutes } from '../domains/data-keys/routes.ts'
import { deliveryRoutes } from '../domains/webhooks/deliveries/routes.ts'
import { depositRoutes } from '../domains/virtual-accounts/deposits/routes.ts'
import { disbursementRoutes } from '../domains/escrow/disbursements/routes.ts'
import { escrowRoutes } from '../domains/escrow/routes.ts'
import { exceptionRoutes } from '../domains/exceptions/routes.ts'
import { initiationRoutes } from '../domains/payments/initiation/routes.ts'
import { invitationRoutes } from '../domains/organizations/invitations/routes.ts'
import { kybRoutes } from '../domains/kyb/routes.ts'
import { milestoneRoutes } from '../domains/escrow/milestones/routes.ts'
import { networkRoutes } from '../domains/networks/routes.ts'
import { notificationRoutes } from '../domains/notifications/routes.ts'
import { organizationRoutes } from '../domains/organizations/routes.ts'
import { paymentRoutes } from '../domains/payments/routes.ts'
import { paymentLinkRoutes } from '../domains/payment-links/routes.ts'
import { providerConfigRoutes } from '../domains/provider-configs/routes.ts'
import { providerWebhookRoutes } from '../domains/provider-webhooks/routes.ts'
import { rampRoutes } from '../domains/ramps/routes.ts'
import { rateRoutes } from '../domains/rates/routes.ts'
import { reconciliationRoutes } from '../domains/reconciliation/routes.ts'
import { refundRoutes } from '../domains/payments/refunds/routes.ts'
import { screeningRoutes } from '../domains/ramps/screening/routes.ts'
import { timelineRoutes } from '../domains/payments/timeline/routes.ts'
import { userRoutes } from '../domains/organizations/members/routes.ts'
import { verificationRequestRoutes } from '../domains/verification-requests/routes.ts'
import { virtualAccountRoutes } from '../domains/virtual-accounts/routes.ts'
import { virtualTransactionRoutes } from '../domains/virtual-accounts/transactions/routes.ts'
import { webhookRoutes } from '../domains/webhooks/routes.ts'
import type { App } from './app.ts'

/** What the routes of all domains need, together. */
export type RouteDeps = Parameters<typeof organizationRoutes>[1] &
  Parameters<typeof approvalPolicyRoutes>[1] &
  Parameters<typeof auditLogRoutes>[1] &
  Parameters<typeof dataKeyRoutes>[1] &
  Parameters<typeof userRoutes>[1] &
  Parameters<typeof invitationRoutes>[1] &
  Parameters<typeof kybRoutes>[1] &
  Parameters<typeof notificationRoutes>[1] &
  Parameters<typeof analyticsRoutes>[1] &
  Parameters<typeof verificationRequestRoutes>[1] &
  Parameters<typeof apiKeyRoutes>[1] &
  Parameters<typeof initiationRoutes>[1] &
  Parameters<typeof paymentRoutes>[1] &
  Parameters<typeof paymentLinkRoutes>[1] &
  Parameters<typeof checkoutRoutes>[1] &
  Parameters<typeof rampRoutes>[1] &
  Parameters<typeof screeningRoutes>[1] &
  Parameters<typeof timelineRoutes>[1] &
  Parameters<typeof refundRoutes>[1] &
  Parameters<typeof exceptionRoutes>[1] &
  Parameters<typeof depositRoutes>[1] &
  Parameters<typeof rateRoutes>[1] &
  Parameters<typeof networkRoutes>[1] &
  Parameters<typeof beneficiaryRoutes>[1] &
  Parameters<typeof bankValidationRoutes>[1] &
  Parameters<typeof virtualAccountRoutes>[1] &
  Parameters<typeof virtualTransactionRoutes>[1] &
  Parameters<typeof escrowRoutes>[1] &
  Parameters<typeof milestoneRoutes>[1] &
  Parameters<typeof disbursementRoutes>[1] &
  Parameters<typeof providerConfigRoutes>[1] &
  Parameters<typeof providerWebhookRoutes>[1] &
  Parameters<typeof webhookRoutes>[1] &
  Parameters<typeof deliveryRoutes>[1]

/** Every domain with endpoints, in the order of the reference page. */
export const routesByDomain: Readonly<Record<string, (app: App, deps: RouteDeps) => void>> = {
  organizations: organizationRoutes,
  'approval-policies': approvalPolicyRoutes,
  'audit-log': auditLogRoutes,
  invitations: invitationRoutes,
  kyb: kybRoutes,
  'data-keys': dataKeyRoutes,
  users: userRoutes,
  notifications: notificationRoutes,
  'verification-requests': verificationRequestRoutes,
  'api-keys': apiKeyRoutes,
  webhooks: webhookRoutes,
  deliveries: deliveryRoutes,
  initiation: initiationRoutes,
  payments: paymentRoutes,
  'payment-links': paymentLinkRoutes,
  checkout: checkoutRoutes,
  ramps: rampRoutes,
  screening: screeningRoutes,
  timeline: timelineRoutes,
  refunds: refundRoutes,
  analytics: analyticsRoutes,
  exceptions: exceptionRoutes,
  deposits: depositRoutes,
  reconciliation: reconciliationRoutes,
  rates: rateRoutes,
  networks: networkRoutes,
  beneficiaries: beneficiaryRoutes,
  'bank-validation': bankValidationRoutes,
  'virtual-accounts': virtualAccountRoutes,
  'virtual-transactions': virtualTransactionRoutes,
  escrow: escrowRoutes,
  milestones: milestoneRoutes,
  disbursements: disbursementRoutes,
  'provider-configs': providerConfigRoutes,
  'provider-webhooks': providerWebhookRoutes,
}
