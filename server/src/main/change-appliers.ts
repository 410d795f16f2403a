import { policiesApplier } from '../domains/approval-policies/set-policies.ts'
import { beneficiaryApplier } from '../domains/beneficiaries/update-beneficiary.ts'
import { invitationApplier } from '../domains/organizations/invitations/invite-member.ts'
import { memberAdditionApplier } from '../domains/organizations/members/add-member.ts'
import { memberRemovalApplier } from '../domains/organizations/members/remove-member.ts'
import { permissionsApplier } from '../domains/organizations/members/set-permissions.ts'
import { memberUpdateApplier } from '../domains/organizations/members/update-member.ts'
import { cardPolicyApplier } from '../domains/organizations/update-organization.ts'
import { accountApplier } from '../domains/provider-accounts/submit-change.ts'
import type { ChangeRequestDeps } from '../domains/change-requests/record.ts'

type ApplierDeps = Parameters<typeof policiesApplier>[0] &
  Parameters<typeof invitationApplier>[0] &
  Parameters<typeof accountApplier>[0] &
  Parameters<typeof beneficiaryApplier>[0]

/** The operation that makes each kind of change once a second person has approved it. */
export const createChangeAppliers = (deps: ApplierDeps): ChangeRequestDeps['changeAppliers'] => ({
  'approval-policies.set': policiesApplier(deps),
  'member.add': memberAdditionApplier,
  'member.invite': invitationApplier(deps),
  'member.update': memberUpdateApplier,
  'member.remove': memberRemovalApplier,
  'member.permissions': permissionsApplier,
  'provider-credentials.store': accountApplier(deps),
  'beneficiary.update': beneficiaryApplier(deps),
  'organization.cards': cardPolicyApplier,
})
