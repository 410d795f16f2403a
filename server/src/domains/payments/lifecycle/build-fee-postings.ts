import {
  account,
  postHold,
  held,
  posted,
  releaseHold,
  type Transfer,
} from '../../../kernel/ledger/transfers.ts'
import type { Payment } from '../record.ts'
import type { Status } from './rules.ts'

/** The operator cannot debit an organisation's own account, so such a fee is owed and invoiced. */
const payerOf = ({ custody }: Payment): string =>
  custody === 'own' ? account.feesDue : account.available('pooled')

const charge = (payment: Payment): Omit<Transfer, 'phase'>[] =>
  payment.fee === null
    ? []
    : [
        {
          causeId: payment.paymentId,
          kind: 'fee',
          debit: payerOf(payment),
          credit: account.fees,
          currency: payment.fee.currency,
          amountMinor: payment.fee.amountMinor,
        },
      ]

/** The fee of a pooled payout is held with the amount; that of a payin is taken from what arrives. */
export const feeHolds = (payment: Payment): Transfer[] =>
  payment.direction === 'outbound' && payment.custody !== 'own' ? charge(payment).map(held) : []

/** The fee of a payment that completes; on a late success its hold was released before. */
export function feeCharged(previous: Status, payment: Payment): Transfer[] {
  const holds = feeHolds(payment)
  if (holds.length === 0) return charge(payment).map(posted)
  return previous === 'failed'
    ? charge(payment).map((transfer) => posted({ ...transfer, kind: 'fee.late' }))
    : holds.map(postHold)
}

export const feeReleased = (payment: Payment): Transfer[] => feeHolds(payment).map(releaseHold)

/** A payment that is refunded or returned in full gets its fee back if the schedule returns it. */
export const feeReturned = (payment: Payment): Transfer[] =>
  payment.fee?.isReturned === true
    ? charge(payment).map((transfer) =>
        posted({ ...transfer, kind: 'fee.returned', debit: transfer.credit, credit: transfer.debit }),
      )
    : []
