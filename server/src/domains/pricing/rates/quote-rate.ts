import type { Caller } from '../../../lib/requests/access.ts'
import { timeIn, type Tx } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import { getOrganizationIn } from '../../people/organizations/reads.ts'
import { ratesTooOld, unknownPair } from './errors.ts'
import type { LiveRate, Quote, RateDeps } from './record.ts'
import { limitIn, pairRate } from './rules.ts'
import { findPairAcrossOrgs, findSharedQuote, insertQuote, lockQuotes } from './store.ts'

interface Pair {
  fromCurrency: string
  toCurrency: string
}

/** So many calls within a moment get one quote, so that nobody collects rates by the thousand. */
const sharedForMs = 5_000

/** The live rate, which is locked only for members who can use it in a payment. */
export const showRate = (deps: RateDeps, caller: Caller, pair: Pair): Promise<Quote | LiveRate> =>
  caller.permissions.has('payments:write') || caller.permissions.has('payouts:approve')
    ? quoteRate(deps, caller, pair)
    : deps.db.inOrg(caller.orgId, async (tx) => (await readRate(deps, tx, caller.orgId, pair)).live)

/** Locks the current rate, including the organisation's margin, under an id that payments refer to. */
export function quoteRate(deps: RateDeps, caller: Caller, pair: Pair): Promise<Quote> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const { live, fromPerUsd } = await readRate(deps, tx, orgId, pair)
    const orgRateId = newId()
    const wanted = {
      ...live,
      orgRateId,
      isForPayers: caller.credential.kind === 'payment_link',
      since: new Date(live.createdAt.getTime() - sharedForMs),
    }
    const shared = await findSharedQuote(tx, orgId, wanted)
    if (shared) return shared
    await lockQuotes(tx, orgId, pair)
    const limitOf = (usd: number): bigint => limitIn(pair.fromCurrency, usd, fromPerUsd)
    return (
      (await findSharedQuote(tx, orgId, wanted)) ??
      insertQuote(tx, orgId, {
        ...wanted,
        limitMinor: limitOf(deps.rateLimits.perQuoteUsd),
        pairLimitMinor: limitOf(deps.rateLimits.perPairUsd),
        expiresAt: new Date(live.createdAt.getTime() + deps.quoteLifetimeMs),
      })
    )
  })
}

/** A rate that the market has left longer ago than a quote is valid for is not quoted. */
export async function readRate(
  deps: RateDeps,
  tx: Tx,
  orgId: string,
  { fromCurrency, toCurrency }: Pair,
): Promise<{ live: LiveRate; fromPerUsd: string }> {
  const now = await timeIn(tx)
  const pair = await findPairAcrossOrgs(tx, { from: fromCurrency, to: toCurrency })
  if (!pair) throw unknownPair(fromCurrency, toCurrency)
  const { rateMarginBps } = await getOrganizationIn(tx, orgId)
  const oldest = Math.min(pair.from.asOf.getTime(), pair.to.asOf.getTime())
  if (now.getTime() - oldest >= deps.quoteLifetimeMs) throw ratesTooOld()
  const rate = pairRate(pair.from.perUsd, pair.to.perUsd, rateMarginBps).toFixed()
  const live = { fromCurrency, toCurrency, rate, source: pair.to.source, createdAt: now }
  return { live, fromPerUsd: pair.from.perUsd }
}
