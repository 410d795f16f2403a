import type { Pool } from 'undici'
import type { ClockWatch } from '../kernel/db/watch-clock.ts'
import type { Database } from '../kernel/db/database.ts'
import type { SanctionsIndex } from '../domains/compliance/sanctions/track-index.ts'
import type { Probes } from '../http/health.ts'

/** What a process needs before it can serve, by the names in `/readyz`. */
export const createProbes = (deps: {
  db: Database
  ingress: Pool
  sanctions: SanctionsIndex
  clockWatch: ClockWatch
}): Probes => ({
  postgres: () => deps.db.ping(),
  engine: async () => {
    const response = await deps.ingress.request({ method: 'GET', path: '/restate/health' })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error('the engine is not healthy')
  },
  sanctions_lists: async () => {
    if (!deps.sanctions.isLoaded()) throw new Error('the sanctions lists have not been read yet')
  },
  clock: async () => {
    if (!deps.clockWatch.isRight()) throw new Error('the clock of this process is wrong')
  },
})
