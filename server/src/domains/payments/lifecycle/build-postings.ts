import type { CompiledQuery } from 'kysely'
import { assertCovered } from '../../../kernel/ledger/available.ts'
import {
  account,
  postHold,
  held,
  insertTransfers,
  posted,
  releaseHold,
  type Transfer,
} from '../../../kernel/ledger/transfers.ts'
import { feeCharged, feeHolds, feeReleased, feeReturned } from './build-fee-postings.ts'
import type { Payment } from '../record.ts'
import { divide } from '../sums/rules.ts'
import { isExchanged, type Status } from './rules.ts'

/** The account that pays for a payout: of the custody that was decided when it was initiated. */
const fundsOf = ({ fundingAccountId, custody }: Payment): string =>
  fundingAccountId === null ? account.available(custody ?? 'pooled') : account.virtual(fundingAccountId)

/** The amount of a payout is held before anything is sent. */
const holdFor = (payment: Payment): Transfer =>
  held({
    causeId: payment.paymentId,
    kind: 'payout.hold',
    debit: fundsOf(payment),
    credit: account.outgoing,
    currency: payment.source.currency,
    amountMinor: payment.source.amountMinor,
  })

/** Writes the holds of a payout and its fee; fails the batch when the pooled balance does not cover them. */
export function holdStatements(payment: Payment): CompiledQuery[] {
  const holds = [holdFor(payment), ...feeHolds(payment)]
  const guarded = holds.find(({ debit }) => debit === account.available('pooled'))
  return [insertTransfers(payment.orgId, holds), ...(guarded ? guardStatements(payment, guarded) : [])]
}

/** Only the pooled balance is guarded here: a virtual account has a guard of its own, an own account its provider. */
export const guardStatements = (
  { orgId }: { orgId: string },
  { debit, currency }: Transfer,
): CompiledQuery[] =>
  debit === account.available('pooled') ? [assertCovered(orgId, { account: debit, currency })] : []

/** A virtual account's money is held from the request on, an organisation's own from the approval on. */
export const isHeld = (status: Status, payment: Payment): boolean =>
  status === 'confirmed' ||
  status === 'processing' ||
  status === 'pending' ||
  (payment.fundingAccountId !== null && (status === 'initiated' || status === 'reviewed'))

/** The ledger transfers that are committed with a status change. */
export function postingsFor(before: Pick<Payment, 'status' | 'sums'>, payment: Payment): Transfer[] {
  const { status, direction } = payment
  const previous = before.status
  // A ramp posts its own transfers, leg by leg.
  if (direction === 'external') return []
  if (status === 'completed' && previous !== 'completed')
    return [
      ...(direction === 'outbound' ? payoutCompleted(previous, payment) : payinCompleted(payment)),
      ...feeCharged(previous, payment),
    ]
  if (status === 'refunded' && previous === 'completed')
    return [...(isTakenBack(payment) ? takenBack(before, payment) : []), ...feeReturned(payment)]
  if (direction !== 'outbound') return []
  const hasEnded = status === 'failed' || status === 'rejected' || status === 'canceled'
  return hasEnded && isHeld(previous, payment) ? [releaseHold(holdFor(payment)), ...feeReleased(payment)] : []
}

/** The provider took back its success. A refund has postings of its own, and leaves no failure. */
const isTakenBack = ({ failureCode }: Payment): boolean => failureCode !== null

const takenBack = (before: Pick<Payment, 'sums'>, payment: Payment): Transfer[] =>
  payment.direction === 'outbound' ? payoutReturned(payment) : payinReversed(before, payment)

/** The account that paid gets back what it paid, so an exchange is undone at the payment's own rate. */
function payoutReturned(payment: Payment): Transfer[] {
  const { paymentId: causeId, source, target } = payment
  const exchange = account.exchange(source.currency, target.currency)
  const returned = posted({
    causeId,
    kind: 'payout.returned',
    debit: account.provider(payment.provider ?? 'unknown', payment.accountId),
    credit: isExchanged(payment) ? exchange : fundsOf(payment),
    ...target,
  })
  if (!isExchanged(payment)) return [returned]
  const kind = 'payout.returned.fx'
  return [returned, posted({ causeId, kind, debit: exchange, credit: fundsOf(payment), ...source })]
}

/** Takes what refunds and disputes have left. An exchanged payin is in the balance of its target currency. */
function payinReversed({ sums }: Pick<Payment, 'sums'>, payment: Payment): Transfer[] {
  const { paymentId: causeId, source, target } = payment
  const { bookedMinor, balanceMinor } = divide({ source, target, sums }, payment.sums)
  const available = account.available(payment.custody ?? 'pooled')
  const exchange = account.exchange(source.currency, target.currency)
  const reversed = posted({
    causeId,
    kind: 'payin.reversed',
    debit: isExchanged(payment) ? exchange : available,
    credit: account.provider(payment.provider ?? 'unknown', payment.accountId),
    currency: source.currency,
    amountMinor: bookedMinor,
  })
  const sold = posted({
    causeId,
    kind: 'payin.reversed.fx',
    debit: available,
    credit: exchange,
    currency: target.currency,
    amountMinor: balanceMinor,
  })
  return [reversed, ...(isExchanged(payment) ? [sold] : [])].filter(({ amountMinor }) => amountMinor > 0n)
}

function payinCompleted(payment: Payment): Transfer[] {
  const available = account.available(payment.custody ?? 'pooled')
  const received = posted({
    causeId: payment.paymentId,
    kind: 'payin',
    debit: account.provider(payment.provider ?? 'unknown', payment.accountId),
    credit: available,
    currency: payment.source.currency,
    amountMinor: payment.source.amountMinor,
  })
  return [received, ...conversion(payment, available)]
}

function payoutCompleted(previous: Status, payment: Payment): Transfer[] {
  // On a late success there is no hold to post: it was released when the payment failed.
  const debited =
    previous === 'failed' ? posted({ ...holdFor(payment), kind: 'payout.late' }) : postHold(holdFor(payment))
  const settled = posted({
    causeId: payment.paymentId,
    kind: 'payout.settled',
    debit: account.outgoing,
    credit: account.provider(payment.provider ?? 'unknown', payment.accountId),
    currency: payment.target.currency,
    amountMinor: payment.target.amountMinor,
  })
  return [debited, ...conversion(payment, account.outgoing), settled]
}

/** Both sides of an exchange, through the currency pair's account, so that each currency sums to zero. */
function conversion(payment: Payment, holder: string): Transfer[] {
  const { source, target } = payment
  if (source.currency === target.currency) return []
  const exchange = account.exchange(source.currency, target.currency)
  return [
    posted({
      causeId: payment.paymentId,
      kind: 'fx.sold',
      debit: holder,
      credit: exchange,
      currency: source.currency,
      amountMinor: source.amountMinor,
    }),
    posted({
      causeId: payment.paymentId,
      kind: 'fx.bought',
      debit: exchange,
      credit: holder,
      currency: target.currency,
      amountMinor: target.amountMinor,
    }),
  ]
}
