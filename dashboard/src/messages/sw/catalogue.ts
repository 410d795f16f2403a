import { analytics } from './analytics.ts'
import { apiKeys } from './api-keys.ts'
import { approval } from './approval.ts'
import { approvals } from './approvals.ts'
import { beneficiaries } from './beneficiaries.ts'
import { changeRequest } from './change-request.ts'
import { dataKeys } from './data-keys.ts'
import { disputes } from './disputes.ts'
import { escrows } from './escrow.ts'
import { exception } from './exception.ts'
import { exceptionKinds, exceptions } from './exceptions.ts'
import { feeSchedules } from './fee-schedules.ts'
import { home } from './home.ts'
import { inbox } from './inbox.ts'
import { ledger } from './ledger.ts'
import { newPayment, newRamp } from './new-payment.ts'
import { nextStep } from './next-step.ts'
import { installation, organization, organizations } from './operator.ts'
import { auditLog, invitations, member, members, roles } from './organization.ts'
import { paymentLinks } from './payment-links.ts'
import { payment } from './payment.ts'
import { payments } from './payments.ts'
import { payoutBatches } from './payout-batches.ts'
import { reconciliation } from './reconciliation.ts'
import { refunds } from './refunds.ts'
import { requestLog } from './request-log.ts'
import { accounts, health, routing, screening } from './routing.ts'
import {
  healthOverTime,
  maintenance,
  policyEditor,
  policyRule,
  routingDecision,
  routingPolicies,
  ruleWords,
  whatIf,
} from './routing-policies.ts'
import { match, matches, sanctionsLists } from './sanctions.ts'
import { secrets } from './secrets.ts'
import { sessions } from './sessions.ts'
import { branding, fees, policies, settings, verification } from './settings.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { states } from './states.ts'
import { terms } from './terms.ts'
import { timeline } from './timeline.ts'
import { verificationRequests } from './verification-requests.ts'
import { virtualAccounts } from './virtual-accounts.ts'
import { deadLetters, deliveries, events, webhooks } from './webhooks.ts'

export const catalogue = {
  accounts,
  analytics,
  apiKeys,
  approval,
  approvals,
  auditLog,
  beneficiaries,
  branding,
  changeRequest,
  dataKeys,
  deadLetters,
  deliveries,
  disputes,
  escrows,
  events,
  exception,
  exceptionKinds,
  exceptions,
  feeSchedules,
  fees,
  health,
  healthOverTime,
  home,
  inbox,
  installation,
  invitations,
  ledger,
  maintenance,
  match,
  matches,
  member,
  members,
  newPayment,
  newRamp,
  nextStep,
  organization,
  organizations,
  payment,
  paymentLinks,
  payments,
  payoutBatches,
  policies,
  policyEditor,
  policyRule,
  reconciliation,
  refunds,
  requestLog,
  roles,
  routing,
  routingDecision,
  routingPolicies,
  ruleWords,
  sanctionsLists,
  screening,
  secrets,
  sessions,
  settings,
  shell,
  signIn,
  states,
  terms,
  timeline,
  verification,
  verificationRequests,
  virtualAccounts,
  webhooks,
  whatIf,
} as const
