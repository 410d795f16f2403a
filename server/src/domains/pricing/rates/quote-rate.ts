import type { Caller } from '../../../lib/requests/access.ts'
import { timeIn } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import { getOrganizationIn } from '../../people/organizations/reads.ts'
import { ratesTooOld, unknownPair } from './errors.ts'
import type { Quote, RateDeps } from './record.ts'
import { pairRate } from './rules.ts'
import { findPairAcrossOrgs, insertQuote } from './store.ts'

const oldestRateMs = 60 * 60_000

/** Locks the current rate, including the organisation's margin, under an id that payments refer to. */
export function quoteRate(
  deps: RateDeps,
  caller: Caller,
  input: { fromCurrency: string; toCurrency: string },
): Promise<Quote> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const now = await timeIn(tx)
    const pair = await findPairAcrossOrgs(tx, { from: input.fromCurrency, to: input.toCurrency })
    if (!pair) throw unknownPair(input.fromCurrency, input.toCurrency)
    const { rateMarginBps } = await getOrganizationIn(tx, orgId)
    const oldest = Math.min(pair.from.asOf.getTime(), pair.to.asOf.getTime())
    if (now.getTime() - oldest > oldestRateMs) throw ratesTooOld()
    return insertQuote(tx, orgId, {
      orgRateId: newId(),
      fromCurrency: input.fromCurrency,
      toCurrency: input.toCurrency,
      rate: pairRate(pair.from.perUsd, pair.to.perUsd, rateMarginBps).toFixed(),
      source: pair.to.source,
      createdAt: now,
      expiresAt: new Date(now.getTime() + deps.quoteLifetimeMs),
    })
  })
}
