import type { Database } from '../../db/database.ts'
import { createCache, type Cache } from '../../lib/limits.ts'
import { selectCorridor, type ProviderConfig } from './store.ts'

export interface Corridor {
  country: string
  paymentMethod: string
  direction: string
}

/** The active configurations of a corridor, in order. Remembered for a moment: every payment asks. */
export interface CorridorSource {
  list(orgId: string, corridor: Corridor): Promise<ProviderConfig[]>
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
    forget: () => cache.clear(),
  }
}
