import type { Database } from '../../db/database.ts'
import { createCache, type Cache } from '../../lib/bounded-cache.ts'
import type { ProviderConfig } from './record.ts'
import { selectCorridor, selectInbound } from './store.ts'

interface Corridor {
  country: string
  paymentMethod: string
  direction: string
}

/**
 * The active configurations of a corridor, in order of preference. Cached briefly, because every payment needs them.
 */
export interface CorridorSource {
  list(orgId: string, corridor: Corridor): Promise<ProviderConfig[]>
  /** The inbound configurations of all countries. */
  inbound(orgId: string): Promise<ProviderConfig[]>
  forget(): void
}

const cacheLimit = 20_000
const cacheTtlMs = 2_000

export function createCorridorSource(db: Database): CorridorSource {
  const cache: Cache<ProviderConfig[]> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    list: (orgId, corridor) =>
      cache.get(`${orgId} ${corridor.country} ${corridor.paymentMethod} ${corridor.direction}`, () =>
        db.inOrg(orgId, (tx) => selectCorridor(tx, orgId, corridor)),
      ),
    inbound: (orgId) =>
      cache.get(`${orgId} inbound`, () => db.inOrg(orgId, (tx) => selectInbound(tx, orgId))),
    forget: () => cache.clear(),
  }
}
