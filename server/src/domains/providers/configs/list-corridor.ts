import type { Database, Tx } from '../../../kernel/db/database.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import { ownAccountsOnlyIn } from '../../people/organizations/reads.ts'
import { listAccountsIn } from '../accounts/reads.ts'
import type { ProviderConfig, RoutableConfig } from './record.ts'
import { routableConfigs } from './rules.ts'
import { selectCorridor, selectInbound, selectMethod } from './store.ts'

interface Corridor {
  country: string
  paymentMethod: string
  direction: string
}

/**
 * The active configurations of a corridor with their accounts, in order of preference. Cached briefly, because every
 * payment needs them.
 */
export interface CorridorSource {
  list(orgId: string, corridor: Corridor): Promise<RoutableConfig[]>
  /** The inbound configurations of all countries. */
  inbound(orgId: string): Promise<RoutableConfig[]>
  /** The inbound and outbound configurations of a payment method, of all countries. */
  ofMethod(orgId: string, paymentMethod: string): Promise<RoutableConfig[]>
  invalidate(): void
}

const cacheLimit = 20_000
const cacheTtlMs = 2_000

export function createCorridorSource(db: Database): CorridorSource {
  const cache: Cache<RoutableConfig[]> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  const routable = (orgId: string, select: (tx: Tx) => Promise<ProviderConfig[]>) =>
    db.inOrg(orgId, async (tx) =>
      routableConfigs(await select(tx), {
        accounts: await listAccountsIn(tx, orgId),
        ownAccountsOnly: await ownAccountsOnlyIn(tx, orgId),
      }),
    )
  return {
    list: (orgId, corridor) =>
      cache.get(`${orgId} ${corridor.country} ${corridor.paymentMethod} ${corridor.direction}`, () =>
        routable(orgId, (tx) => selectCorridor(tx, orgId, corridor)),
      ),
    inbound: (orgId) =>
      cache.get(`${orgId} inbound`, () => routable(orgId, (tx) => selectInbound(tx, orgId))),
    ofMethod: (orgId, paymentMethod) =>
      cache.get(`${orgId} method ${paymentMethod}`, () =>
        routable(orgId, (tx) => selectMethod(tx, orgId, paymentMethod)),
      ),
    invalidate: () => cache.clear(),
  }
}
