import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { selectMarketRatesAcrossOrgs } from './store.ts'

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
