import { newId } from '../../../../lib/ids.ts'
import type { Funding, Payment } from '../../../payments/record.ts'
import { bookingOf, writeBooked } from './book-transaction.ts'
import type { NewTransaction } from './record.ts'
import { endTransaction, insertTransaction } from './store.ts'

/**
 * The statement entry of a payout from a virtual account: pending while it is in progress, booked when completed,
 * failed when its hold is released. A returned payout becomes a credit of its own.
 */
export const fundPayment: Funding = (previous, payment) => {
  const { orgId, paymentId, fundingAccountId, updatedAt: at } = payment
  if (fundingAccountId === null) return []
  const withdrawal = withdrawalOf(payment, fundingAccountId)
  if (previous === undefined) return [insertTransaction(orgId, withdrawal)]
  switch (payment.status) {
    case 'completed':
      return bookingOf(orgId, withdrawal, at)
    case 'failed':
    case 'rejected':
    case 'canceled':
      return [endTransaction(orgId, { transactionId: paymentId, status: 'failed', at })]
    case 'refunded':
      return [
        endTransaction(orgId, { transactionId: paymentId, status: 'reversed', at }),
        ...writeBooked(orgId, returnOf(withdrawal, at)),
      ]
    case 'initiated':
    case 'reviewed':
    case 'confirmed':
    case 'processing':
    case 'pending':
      return []
  }
}

/** Uses the payment's id, so that `GET /payments/{payment_id}` shows the details. */
export const withdrawalOf = (payment: Payment, accountId: string): NewTransaction => ({
  transactionId: payment.paymentId,
  accountId,
  type: 'debit',
  amountMinor: payment.source.amountMinor,
  currency: payment.source.currency,
  description: payment.description ?? 'Withdrawal',
  paymentRail: payment.method,
  reference: payment.clientReference ?? payment.paymentId,
  createdAt: payment.createdAt,
})

const returnOf = (withdrawal: NewTransaction, at: Date): NewTransaction => ({
  ...withdrawal,
  transactionId: newId(),
  type: 'credit',
  description: `Returned: ${withdrawal.description}`,
  createdAt: at,
})
