import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { convert, toRate } from '../../lib/decimal.ts'
import type { Money } from '../../lib/money.ts'
import { rateMismatch } from './errors.ts'
import { findQuote } from './store.ts'

interface QuotedAmounts {
  orgRateId: string
  source: Money
  target: Money
}

/** Checks a payment's two amounts against the locked rate. */
export async function checkQuote(
  deps: { db: Database; clock: Clock },
  orgId: string,
  amounts: QuotedAmounts,
): Promise<void> {
  const quote = await deps.db.inOrg(orgId, (tx) => findQuote(tx, orgId, amounts.orgRateId))
  if (!quote) throw rateMismatch('The org_rate_id is unknown.')
  if (quote.expiresAt <= deps.clock.now()) throw rateMismatch('The locked rate has expired.')
  if (quote.fromCurrency !== amounts.source.currency || quote.toCurrency !== amounts.target.currency)
    throw rateMismatch(`The locked rate is from ${quote.fromCurrency} to ${quote.toCurrency}.`)
  const expected = convert(amounts.source, toRate(quote.rate), quote.toCurrency)
  if (expected.amountMinor !== amounts.target.amountMinor)
    throw rateMismatch('target_amount is not amount times the locked rate.')
}
