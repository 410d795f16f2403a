import type { Database } from '../../../kernel/db/database.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { PublishedPolicy, RoutingPolicySource } from './record.ts'
import { findApplicable } from './store.ts'

const cacheLimit = 20_000
const cacheTtlMs = 1_000

export function createRoutingPolicySource(db: Database): RoutingPolicySource {
  const cache: Cache<PublishedPolicy | undefined> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    published: (orgId) => cache.get(orgId, () => db.inOrg(orgId, (tx) => findApplicable(tx, orgId))),
    invalidate: () => cache.clear(),
  }
}
