import { timeIn } from '../../../kernel/db/database.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { readRate } from '../../pricing/rates/quote-rate.ts'
import type { RateDeps } from '../../pricing/rates/record.ts'
import { findCompletedAt } from '../attempts/store.ts'
import { isExchanged } from '../lifecycle/rules.ts'
import type { LoadedPayment } from '../record.ts'
import { marketRateOf } from './rules.ts'

export interface RefundPriceDeps extends RateDeps {
  /** For how long after its completion a payment is refunded at its own rate. */
  ownRateMs: number
}

/**
 * The market rate at which an exchanged payin is refunded now, with the margin of a quote; null while the payment's own
 * rate counts. Whoever could choose between the two would wait until the pool pays for it.
 */
export async function findMarketRate(
  deps: RefundPriceDeps,
  { payment }: LoadedPayment,
): Promise<string | null> {
  const { orgId, paymentId, source, target } = payment
  if (!isExchanged(payment)) return null
  return deps.db.inOrg(orgId, async (tx) => {
    const completedAt = await findCompletedAt(tx, orgId, paymentId)
    const now = await timeIn(tx)
    if (completedAt && now.getTime() - completedAt.getTime() < deps.ownRateMs) return null
    const pair = { fromCurrency: target.currency, toCurrency: source.currency }
    const { live } = await readRate(deps, tx, orgId, pair)
    return marketRateOf(payment, toRate(live.rate))
  })
}
