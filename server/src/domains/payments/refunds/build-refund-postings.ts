import type { CompiledQuery } from 'kysely'
import { guardStatements } from '../lifecycle/build-postings.ts'
import {
  account,
  postHold,
  held,
  insertTransfers,
  posted,
  releaseHold,
  type Transfer,
} from '../../../kernel/ledger/transfers.ts'
import type { Refund } from './record.ts'

const isExchanged = ({ currency, debitCurrency }: Refund): boolean => currency !== debitCurrency

const exchangeOf = ({ currency, debitCurrency }: Refund): string => account.exchange(currency, debitCurrency)

/**
 * Of an exchanged payin the target currency is held, and exchanged back when the refund completes. What the market rate
 * costs more is held apart, and what it costs less is credited at the end.
 */
const refundHolds = (refund: Refund): Transfer[] =>
  [ownRateHold(refund), ...rateHolds(refund)].filter(hasAmount)

function ownRateHold(refund: Refund): Transfer {
  const { refundId: causeId, custody } = refund
  const debit = account.available(custody)
  if (!isExchanged(refund)) return held({ ...providerLeg(refund), debit })
  return held({
    causeId,
    kind: 'refund.fx',
    debit,
    credit: exchangeOf(refund),
    currency: refund.debitCurrency,
    amountMinor: refund.debitMinor,
  })
}

const rateHolds = (refund: Refund): Transfer[] =>
  refund.differenceMinor > 0n ? [held(rateDifference(refund, 'refund.rate'))] : []

/** What the market rate costs more or less than the payment's own, between the balance and the exchange account. */
function rateDifference(refund: Refund, kind: string): Transfer {
  const { refundId: causeId, differenceMinor, debitCurrency: currency } = refund
  const [available, exchange] = [account.available(refund.custody), exchangeOf(refund)]
  return differenceMinor > 0n
    ? posted({ causeId, kind, debit: available, credit: exchange, currency, amountMinor: differenceMinor })
    : posted({ causeId, kind, debit: exchange, credit: available, currency, amountMinor: -differenceMinor })
}

const hasAmount = ({ amountMinor }: Transfer): boolean => amountMinor > 0n

/** Writes the holds of a refund; fails the batch when the pooled balance does not cover them. */
export const refundHoldStatements = (refund: Refund): CompiledQuery[] =>
  holdStatements(refund, refundHolds(refund))

/** The same for what the market rate costs more, once a refund that waited is priced. */
export const rateHoldStatements = (refund: Refund): CompiledQuery[] =>
  holdStatements(refund, rateHolds(refund))

function holdStatements(refund: Refund, holds: readonly Transfer[]): CompiledQuery[] {
  const [hold] = holds
  return hold ? [insertTransfers(refund.orgId, holds), ...guardStatements(refund, hold)] : []
}

/** What the provider pays to the payer. */
const providerLeg = (refund: Refund): Transfer =>
  posted({
    causeId: refund.refundId,
    kind: 'refund',
    debit: isExchanged(refund) ? exchangeOf(refund) : account.available(refund.custody),
    credit: account.provider(refund.provider, refund.accountId),
    currency: refund.currency,
    amountMinor: refund.amountMinor,
  })

/** What is posted when a refund ends; `before` has the amount that is held. */
export function refundPostings(before: Refund, after: Refund): Transfer[] {
  const holds = before.origin === 'api' ? refundHolds(before) : []
  if (after.state === 'failed') return holds.map(releaseHold)
  if (after.state !== 'completed') return []
  const isAsHeld =
    after.excessMinor === 0n &&
    after.debitMinor === before.debitMinor &&
    after.differenceMinor === before.differenceMinor
  if (after.origin !== 'api' || !isAsHeld) return [...holds.map(releaseHold), ...unheldPostings(after)]
  return [
    ...holds.map(postHold),
    ...(isExchanged(after) ? [providerLeg(after)] : []),
    ...(after.differenceMinor < 0n ? [rateDifference(after, 'refund.rate')] : []),
  ]
}

/** For a refund whose amount was not held, or turned out to be another one when it completed. */
function unheldPostings(refund: Refund): Transfer[] {
  const { refundId: causeId, custody, debitCurrency, debitMinor, excessMinor } = refund
  const kind = 'refund.elsewhere'
  const bookedMinor = refund.amountMinor - excessMinor
  const booked = { ...providerLeg(refund), kind, amountMinor: bookedMinor }
  const exchanged = posted({
    causeId,
    kind: `${kind}.fx`,
    debit: account.available(custody),
    credit: exchangeOf(refund),
    currency: debitCurrency,
    amountMinor: debitMinor,
  })
  const excess = {
    ...providerLeg(refund),
    kind: 'refund.excess',
    debit: account.suspense,
    amountMinor: excessMinor,
  }
  const difference = rateDifference(refund, `${kind}.rate`)
  return [booked, ...(isExchanged(refund) ? [exchanged, difference] : []), excess].filter(hasAmount)
}
