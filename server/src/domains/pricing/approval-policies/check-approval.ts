import type { Database, Tx } from '../../../kernel/db/database.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'
import { listMarketRates } from '../rates/reads.ts'
import type {
  ApprovalCause,
  ApprovalPolicy,
  DailyLimit,
  Outflow,
  OutflowKind,
  OutflowPolicy,
} from './record.ts'
import { dailyLimits, findReachedPolicy, policiesFor, type MarketRates } from './rules.ts'
import { selectPolicies } from './store.ts'

/** Cached briefly in each process; a change made in this process takes effect at once. */
export interface ApprovalPolicySource {
  list(orgId: string): Promise<ApprovalPolicy[]>
  invalidate(): void
}

export interface ApprovalDeps {
  db: Database
  clock: Clock
  approvalPolicies: ApprovalPolicySource
}

const cacheLimit = 20_000
const cacheTtlMs = 1_000

export function createApprovalPolicySource(db: Database): ApprovalPolicySource {
  const cache: Cache<ApprovalPolicy[]> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    list: (orgId) => cache.get(orgId, () => db.inOrg(orgId, (tx) => selectPolicies(tx, orgId))),
    invalidate: () => cache.clear(),
  }
}

/**
 * Whether the amounts alone require a second person's approval. If not, they still do when the outflow of 24 hours
 * reaches one of the daily limits, which only the transaction that writes the payment can determine.
 */
export async function checkApproval(
  deps: ApprovalDeps,
  orgId: string,
  outflow: Outflow,
  kind: OutflowKind = 'payout',
): Promise<{ cause: ApprovalCause | undefined; dailyLimits: DailyLimit[] }> {
  const policies = policiesFor(await deps.approvalPolicies.list(orgId), kind)
  if (policies.length === 0) return { cause: undefined, dailyLimits: [] }
  const rates = await ratesFor(deps, orgId, policies, outflow)
  return {
    cause: findReachedPolicy(policies, outflow, rates),
    dailyLimits: dailyLimits(policies, outflow, rates),
  }
}

/** No rates are read where nothing has to be converted. */
async function ratesFor(
  deps: ApprovalDeps,
  orgId: string,
  policies: readonly OutflowPolicy[],
  { source, target }: Outflow,
): Promise<MarketRates> {
  const hasPolicy = (currency: string): boolean => policies.some((policy) => policy.currency === currency)
  const hasDaily = policies.some(({ dailyFromMinor }) => dailyFromMinor !== null)
  if (!hasDaily && hasPolicy(source.currency) && hasPolicy(target.currency)) return new Map()
  return listMarketRates(deps, orgId)
}

/** In the caller's transaction, past the cache. */
export const hasPolicies = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await selectPolicies(tx, orgId)).length > 0
