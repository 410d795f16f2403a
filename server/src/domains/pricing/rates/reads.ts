import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Quote } from './record.ts'
import { findQuote, selectMarketRatesAcrossOrgs } from './store.ts'

export const getQuote = (
  deps: { db: Database },
  orgId: string,
  orgRateId: string,
): Promise<Quote | undefined> => deps.db.inOrg(orgId, (tx) => findQuote(tx, orgId, orgRateId))

const oldestRateMs = 24 * 60 * 60_000

/** Units of each currency per US dollar, to compare amounts with. A rate of more than a day ago counts as none. */
export async function listMarketRates(
  deps: { db: Database; clock: Clock },
  orgId: string,
): Promise<Map<string, string>> {
  const oldest = deps.clock.now().getTime() - oldestRateMs
  const rates = await deps.db.inOrg(orgId, (tx) => selectMarketRatesAcrossOrgs(tx))
  return new Map(
    rates.filter(({ asOf }) => asOf.getTime() > oldest).map(({ currency, perUsd }) => [currency, perUsd]),
  )
}

/** The age of the newest rate that the feed gave us; undefined before the first. */
export async function getRateAge(deps: { db: Database; clock: Clock }): Promise<number | undefined> {
  const rates = await deps.db.acrossOrgs(selectMarketRatesAcrossOrgs)
  if (rates.length === 0) return undefined
  const newest = Math.max(...rates.map(({ asOf }) => asOf.getTime()))
  return (deps.clock.now().getTime() - newest) / 1000
}
