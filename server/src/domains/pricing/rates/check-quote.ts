import type { Database } from '../../../kernel/db/database.ts'
import { convert, toRate } from '../../../lib/money/decimal.ts'
import { validationError } from '../../../lib/errors.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Money } from '../../../lib/money/money.ts'
import { rateMismatch } from './errors.ts'
import { isProduct } from './rules.ts'
import { findQuote } from './store.ts'

interface QuotedAmounts {
  orgRateId: string
  source: Money
  /** The digits of the target amount as the caller sent them. */
  statedTarget: string
  targetCurrency: string
}

/** Checks a payment's two amounts against the locked rate, and returns the target that the rate gives. */
export async function checkQuote(
  deps: { db: Database },
  orgId: string,
  { orgRateId, source, statedTarget, targetCurrency }: QuotedAmounts,
): Promise<Money> {
  const quote = isUuid(orgRateId)
    ? await deps.db.inOrg(orgId, (tx) => findQuote(tx, orgId, orgRateId))
    : undefined
  if (!quote) throw rateMismatch('The org_rate_id is unknown.')
  if (quote.isExpired) throw rateMismatch('The locked rate has expired.')
  if (quote.fromCurrency !== source.currency || quote.toCurrency !== targetCurrency)
    throw rateMismatch(`The locked rate is from ${quote.fromCurrency} to ${quote.toCurrency}.`)
  const rate = toRate(quote.rate)
  if (!isProduct(toRate(statedTarget), { source, rate, targetCurrency }))
    throw rateMismatch('target_amount is not amount times the locked rate.')
  const target = convert(source, rate, targetCurrency)
  if (target.amountMinor === 0n)
    throw validationError(`The amount is less than the smallest unit of ${targetCurrency}.`, [
      { path: 'amount', message: 'is too small for the rate' },
    ])
  return target
}
