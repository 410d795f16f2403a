import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import type { Evidence } from '../evidence.ts'
import type { Witness } from '../installation.ts'
import type { RefundCost } from '../people-records.ts'
import type { Violation } from './judge.ts'

/** An exchange rounds to the smallest unit, once for the refund and once for the payment. */
const roundingMinor = 2

/**
 * What goes back to a payer from the pool costs the organisation what it is worth: by the payment’s own rate on the
 * first day, and later by the rate of the moment when the refund was asked for. The suite itself sets the rates and
 * moves payments into the past.
 */
export const lostToRates = ({ refundCosts }: Evidence, { rates, aged }: Pick<Witness, 'rates' | 'aged'>) =>
  refundCosts.flatMap((refund): Violation[] => {
    const { paymentId, paidMinor, paidCurrency, refundedMinor, chargedMinor, chargedCurrency } = refund
    const perUsd = (currency: string): number =>
      rates.findLast((one) => one.currency === currency && one.atMs <= refund.askedAtMs)?.perUsd ?? Number.NaN
    const isLate = aged.has(paymentId) && refund.origin === 'api'
    const units = 10 ** (exponentOf(chargedCurrency) - exponentOf(paidCurrency))
    const rate = isLate ? (units * perUsd(chargedCurrency)) / perUsd(paidCurrency) : ownRate(refund)
    const worth = refundedMinor * rate
    if (chargedMinor + roundingMinor >= worth) return []
    const problem = `${refundedMinor} of ${paidMinor} ${paidCurrency} went back for ${chargedMinor} ${chargedCurrency}, worth ${Math.round(worth)}`
    return [{ judge: 'lost to a rate', subject: paymentId, problem }]
  })

const ownRate = ({ receivedMinor, paidMinor }: RefundCost): number => receivedMinor / paidMinor
