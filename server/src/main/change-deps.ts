import { hasPolicies } from '../domains/pricing/approval-policies/check-approval.ts'
import { creditLimitsApplier } from '../domains/pricing/balances/set-credit-limits.ts'
import { retirementApplier } from '../domains/pricing/fees/close-schedule.ts'
import { scheduleApplier } from '../domains/pricing/fees/create-schedule.ts'
import { policiesApplier } from '../domains/pricing/approval-policies/set-policies.ts'
import { beneficiaryApplier } from '../domains/parties/beneficiaries/update-beneficiary.ts'
import { createLineageSource } from '../domains/people/empowerments/reads.ts'
import { createChangeControl } from '../domains/people/change-requests/request-change.ts'
import { invitationApplier } from '../domains/people/organizations/invitations/invite-member.ts'
import { memberAdditionApplier } from '../domains/people/organizations/members/add-member.ts'
import { memberRemovalApplier } from '../domains/people/organizations/members/remove-member.ts'
import { permissionsApplier } from '../domains/people/organizations/members/set-permissions.ts'
import { memberUpdateApplier } from '../domains/people/organizations/members/update-member.ts'
import { cardPolicyApplier, termsApplier } from '../domains/people/organizations/update-organization.ts'
import { depositApplier } from '../domains/products/virtual-accounts/deposits/assign-deposit.ts'
import { erasureApplier } from '../domains/office/privacy/request-erasure.ts'
import { accountApplier } from '../domains/providers/accounts/submit-change.ts'
import { routingPolicyApplier } from '../domains/routing/policies/publish-policy.ts'
import { sanctionsMatchApplier } from '../domains/compliance/sanctions/matches/clear-match.ts'
import { suspensionApplier } from '../domains/compliance/suspensions/lift-suspension.ts'
import { adjustmentApplier } from '../domains/after/ledger-adjustments/apply-adjustment.ts'
import {
  hasOperators,
  listAdministratorsIn,
  listOperatorsAcrossOrgs,
} from '../domains/people/organizations/members/reads.ts'
import {
  paymentResolutionApplier,
  refundResolutionApplier,
} from '../domains/payments/resolutions/apply-resolution.ts'
import type { Config } from './config.ts'
import type { AdjustmentDeps } from '../domains/after/ledger-adjustments/record.ts'
import type { ChangeRequestDeps, HoldDeps } from '../domains/people/change-requests/record.ts'
import type { ResolutionDeps } from '../domains/payments/resolutions/record.ts'

/** What operations ask whether a change has to wait for a second person. */
export function createChangeDeps({ clock, vault }: Pick<HoldDeps, 'clock' | 'vault'>, config: Config) {
  const known = {
    lineage: createLineageSource(config.EMPOWERMENT_DAYS),
    isOperators: hasOperators,
    listAdministrators: listAdministratorsIn,
    listOperators: listOperatorsAcrossOrgs,
    hasPolicies,
  }
  return { ...known, changeControl: createChangeControl({ clock, vault, ...known }) }
}

type ApplierDeps = Parameters<typeof policiesApplier>[0] &
  Parameters<typeof memberAdditionApplier>[0] &
  Parameters<typeof invitationApplier>[0] &
  Parameters<typeof accountApplier>[0] &
  Parameters<typeof beneficiaryApplier>[0] &
  Parameters<typeof routingPolicyApplier>[0] &
  Parameters<typeof suspensionApplier>[0] &
  Parameters<typeof scheduleApplier>[0] &
  Parameters<typeof erasureApplier>[0] &
  AdjustmentDeps &
  ResolutionDeps

/** The operation that makes each kind of change once a second person has approved it. */
export const createChangeAppliers = (deps: ApplierDeps): ChangeRequestDeps['changeAppliers'] => ({
  'approval-policies.set': policiesApplier(deps),
  'credit-limits.set': creditLimitsApplier,
  'fee-schedule.create': scheduleApplier(deps),
  'fee-schedule.retire': retirementApplier(deps),
  'organization.terms': termsApplier,
  'member.add': memberAdditionApplier(deps),
  'member.invite': invitationApplier(deps),
  'member.update': memberUpdateApplier,
  'member.remove': memberRemovalApplier,
  'member.permissions': permissionsApplier,
  'provider-credentials.store': accountApplier(deps),
  'beneficiary.update': beneficiaryApplier(deps),
  'deposit.assign': depositApplier(deps),
  'payment.resolve': paymentResolutionApplier(deps),
  'refund.resolve': refundResolutionApplier(deps),
  'ledger.adjust': adjustmentApplier(deps),
  'organization.cards': cardPolicyApplier,
  'routing-policy.publish': routingPolicyApplier(deps),
  'suspension.lift': suspensionApplier(deps),
  'person.erase': erasureApplier(deps),
  'sanctions-match.clear': sanctionsMatchApplier(deps),
})
