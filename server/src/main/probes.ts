import type { Pool } from 'undici'
import type { Database } from '../kernel/db/database.ts'
import type { SanctionsIndex } from '../domains/compliance/sanctions/track-index.ts'
import type { Probes } from '../http/health.ts'

/** What a process needs before it can serve, by the names in `/readyz`. */
export const createProbes = (db: Database, ingress: Pool, sanctions: SanctionsIndex): Probes => ({
  postgres: () => db.ping(),
  engine: async () => {
    const response = await ingress.request({ method: 'GET', path: '/restate/health' })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error('the engine is not healthy')
  },
  sanctions_lists: async () => {
    if (!sanctions.isLoaded()) throw new Error('the sanctions lists have not been read yet')
  },
})
