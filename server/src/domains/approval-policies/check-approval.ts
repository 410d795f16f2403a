import type { Database } from '../../db/database.ts'
import { createCache, type Cache } from '../../lib/bounded-cache.ts'
import type { Money } from '../../lib/money.ts'
import type { ApprovalPolicy } from './record.ts'
import { selectPolicies } from './store.ts'

/** Cached briefly in each process; a change made in this process takes effect at once. */
export interface ApprovalPolicySource {
  list(orgId: string): Promise<ApprovalPolicy[]>
  forget(): void
}

const cacheLimit = 20_000
const cacheTtlMs = 1_000

export function createApprovalPolicySource(db: Database): ApprovalPolicySource {
  const cache: Cache<ApprovalPolicy[]> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    list: (orgId) => cache.get(orgId, () => db.inOrg(orgId, (tx) => selectPolicies(tx, orgId))),
    forget: () => cache.clear(),
  }
}

/** Whether the payout reaches the amount from which the organisation requires a second person's approval. */
export async function needsApproval(
  deps: { approvalPolicies: ApprovalPolicySource },
  orgId: string,
  amount: Money,
): Promise<boolean> {
  const policies = await deps.approvalPolicies.list(orgId)
  const policy = policies.find(({ currency }) => currency === amount.currency)
  return policy !== undefined && amount.amountMinor >= policy.payoutFromMinor
}
