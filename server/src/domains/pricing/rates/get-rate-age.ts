import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { selectMarketRatesAcrossOrgs } from './store.ts'

/** The age of the newest rate that the feed gave us; undefined before the first. */
export async function getRateAge(deps: { db: Database; clock: Clock }): Promise<number | undefined> {
  const rates = await deps.db.acrossOrgs(selectMarketRatesAcrossOrgs)
  if (rates.length === 0) return undefined
  const newest = Math.max(...rates.map(({ asOf }) => asOf.getTime()))
  return (deps.clock.now().getTime() - newest) / 1000
}
