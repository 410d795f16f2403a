import { account, captured, held, posted, released, type Transfer } from '../../ledger/transfers.ts'
import type { Payment } from './loaded-payment.ts'
import type { Status } from './rules.ts'

/** What a payout may spend is set aside before anything is sent. */
export const holdFor = (payment: Payment): Transfer =>
  held({
    causeId: payment.paymentId,
    kind: 'payout.hold',
    debit: account.available,
    credit: account.outgoing,
    currency: payment.source.currency,
    amountMinor: payment.source.amountMinor,
  })

/** The ledger's side of a status change, committed with it. */
export function postingsFor(previous: Status, payment: Payment): Transfer[] {
  const { status, direction } = payment
  if (status === 'completed' && previous !== 'completed')
    return direction === 'outbound' ? payoutCompleted(previous, payment) : payinCompleted(payment)
  const hasEnded = status === 'failed' || status === 'rejected' || status === 'canceled'
  const wasHeld = previous === 'confirmed' || previous === 'processing' || previous === 'pending'
  return direction === 'outbound' && hasEnded && wasHeld ? [released(holdFor(payment))] : []
}

function payinCompleted(payment: Payment): Transfer[] {
  const received = posted({
    causeId: payment.paymentId,
    kind: 'payin',
    debit: account.provider(payment.provider ?? 'unknown'),
    credit: account.available,
    currency: payment.source.currency,
    amountMinor: payment.source.amountMinor,
  })
  return [received, ...conversion(payment, account.available)]
}

function payoutCompleted(previous: Status, payment: Payment): Transfer[] {
  // A late success: the hold was released when the payment failed, so the money is set aside again.
  const capture =
    previous === 'failed' ? posted({ ...holdFor(payment), kind: 'payout.late' }) : captured(holdFor(payment))
  const settled = posted({
    causeId: payment.paymentId,
    kind: 'payout.settled',
    debit: account.outgoing,
    credit: account.provider(payment.provider ?? 'unknown'),
    currency: payment.target.currency,
    amountMinor: payment.target.amountMinor,
  })
  return [capture, ...conversion(payment, account.outgoing), settled]
}

/** Both legs of an exchange, through the pair's own account, so that each currency sums to zero by itself. */
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
