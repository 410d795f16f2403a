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

/** Of an exchanged payin the target currency is held, and exchanged back when the refund completes. */
function refundHold(refund: Refund): Transfer | undefined {
  const { refundId: causeId, custody } = refund
  const debit = account.available(custody)
  if (!isExchanged(refund)) return held({ ...providerLeg(refund), debit })
  if (refund.debitMinor === 0n) return undefined
  return held({
    causeId,
    kind: 'refund.fx',
    debit,
    credit: exchangeOf(refund),
    currency: refund.debitCurrency,
    amountMinor: refund.debitMinor,
  })
}

/** Writes the hold of a refund; fails the batch when the pooled balance does not cover it. */
export function refundHoldStatements(refund: Refund): CompiledQuery[] {
  const hold = refundHold(refund)
  return hold ? [insertTransfers(refund.orgId, [hold]), ...guardStatements(refund, hold)] : []
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
  const hold = before.origin === 'api' ? refundHold(before) : undefined
  if (after.state === 'failed') return hold ? [releaseHold(hold)] : []
  if (after.state !== 'completed') return []
  const isAsHeld = after.excessMinor === 0n && after.debitMinor === before.debitMinor
  if (after.origin === 'api' && isAsHeld)
    return [...(hold ? [postHold(hold)] : []), ...(isExchanged(after) ? [providerLeg(after)] : [])]
  return [...(hold ? [releaseHold(hold)] : []), ...unheldPostings(after)]
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
  return [booked, ...(isExchanged(refund) ? [exchanged] : []), excess].filter(
    ({ amountMinor }) => amountMinor > 0n,
  )
}
