import { z } from 'zod'
import type { HttpClient } from '../../../connectors/kit/http-client.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { MarketRate } from './record.ts'
import { upsertMarketRatesAcrossOrgs } from './store.ts'

/** An adapter to a rate feed; rates are units per US dollar. */
export interface RateSource {
  readonly name: string
  fetchRates(): Promise<MarketRate[]>
}

const feed = z.object({
  base: z.literal('USD'),
  as_of: z.iso.datetime(),
  rates: z.record(z.string(), z.string().regex(/^\d+(\.\d+)?$/)),
})

/** A JSON feed of decimal strings per US dollar; the simulator serves one. */
export const feedRateSource = (http: HttpClient, url: string): RateSource => ({
  name: 'feed',
  async fetchRates() {
    const result = await http({ method: 'GET', url })
    if (result.kind !== 'answered' || result.status !== 200) throw new Error('the rate feed did not answer')
    const { rates, as_of } = feed.parse(JSON.parse(result.body))
    const asOf = new Date(as_of)
    return [
      ...Object.entries(rates).map(([currency, perUsd]) => ({ currency, perUsd, source: 'feed', asOf })),
      { currency: 'USD', perUsd: '1', source: 'feed', asOf },
    ]
  },
})

export async function refreshRates(deps: {
  db: Database
  clock: Clock
  rateSource: RateSource
}): Promise<number> {
  const rates = await deps.rateSource.fetchRates()
  const unique = [...new Map(rates.map((rate) => [rate.currency, rate])).values()]
  await deps.db.acrossOrgs((tx) => upsertMarketRatesAcrossOrgs(tx, unique))
  return unique.length
}
