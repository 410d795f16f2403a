import { approveRequest } from '../../people/change-requests/approve-request.ts'
import type { ChangeApplier, ChangeKind } from '../../people/change-requests/record.ts'
import { createLineageSource } from '../../people/empowerments/reads.ts'
import { rejectRequest } from '../../people/change-requests/reject-request.ts'
import { createChangeControl } from '../../people/change-requests/request-change.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { ringOf } from '../../../../test/app/test-keys.ts'
import type { PaymentDeps } from '../record.ts'
import { paymentResolutionApplier } from '../resolutions/apply-resolution.ts'
import type { ResolutionDeps } from '../resolutions/record.ts'
import { requestResolution } from '../resolutions/request-resolution.ts'

const outcomes = { paid: 'completed', failed: 'failed', returned: 'returned' } as const

/** Nobody in a scenario has added anybody else. */
export const unrelatedPeople = {
  lineage: createLineageSource(30),
  listOperators: () => Promise.resolve([]),
}

const knownPeople = {
  ...unrelatedPeople,
  isOperators: () => Promise.resolve(false),
  listAdministrators: () => Promise.resolve([]),
  hasPolicies: () => Promise.resolve(false),
}

/** A member proposes the outcome and the operator approves it; a proposal that is refused then is rejected. */
export async function resolveByTwo(
  deps: PaymentDeps,
  member: Caller,
  { paymentId, outcome }: { paymentId: string; outcome: keyof typeof outcomes },
): Promise<unknown> {
  const resolving: ResolutionDeps = {
    ...deps,
    changeControl: createChangeControl({ ...deps, ...knownPeople }),
    legResolver: { find: noRamps, apply: noRamps },
  }
  const { orgId } = member
  const { requestId } = await requestResolution(resolving, member, {
    orgId: undefined,
    paymentId,
    outcome: outcomes[outcome],
    evidence: 'It was read from the script.',
    providerReference: null,
  })
  const applier = paymentResolutionApplier(resolving)
  const changeAppliers = { 'payment.resolve': applier } as Record<ChangeKind, ChangeApplier>
  const decision = { orgId, requestId, comments: null }
  const deciding = { ...deps, ...knownPeople, cursorKey: ringOf(Buffer.alloc(32)), changeAppliers }
  return approveRequest(deciding, operator(orgId), decision).catch(async (error: unknown) => {
    await rejectRequest(deciding, operator(orgId), decision)
    throw error
  })
}

const noRamps = (): Promise<never> => Promise.reject(new Error('the scenarios have no ramps'))

const operator = (orgId: string): Caller => ({
  orgId,
  userId: 'operator',
  role: 'platform-admin',
  permissions: new Set(['platform:write', 'payouts:approve']),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: 'test', userAgent: undefined, requestId: 'model' },
})
