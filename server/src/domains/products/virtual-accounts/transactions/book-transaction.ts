import type { CompiledQuery } from 'kysely'
import { newId } from '../../../../lib/ids.ts'
import { exponentOf, wireAmount } from '../../../../lib/money/money.ts'
import { publishEvents } from '../../../events/webhooks/publish-events.ts'
import type { NewTransaction } from './record.ts'
import { bookTransaction, insertTransaction, type KnownEventData } from './store.ts'

/** Statements that book a pending transaction and publish its event. They follow its transfers in one transaction. */
export function bookingOf(orgId: string, transaction: NewTransaction, bookedAt: Date): CompiledQuery[] {
  const { transactionId, accountId, currency } = transaction
  const eventId = newId()
  const eventType = transaction.type === 'credit' ? 'virtual_account.deposit' : 'virtual_account.withdrawal'
  return [
    bookTransaction(orgId, {
      transactionId,
      accountId,
      bookedAt,
      exponent: exponentOf(currency),
      event: { eventId, eventType, data: knownData(orgId, transaction, bookedAt) },
    }),
    publishEvents(orgId, [{ eventId, eventType }]),
  ]
}

/** Statements that insert a transaction and book it at once. */
export const writeBooked = (orgId: string, transaction: NewTransaction): CompiledQuery[] => [
  insertTransaction(orgId, transaction),
  ...bookingOf(orgId, transaction, transaction.createdAt),
]

const knownData = (orgId: string, transaction: NewTransaction, bookedAt: Date): KnownEventData => ({
  transaction_id: transaction.transactionId,
  account_id: transaction.accountId,
  org_id: orgId,
  type: transaction.type,
  status: 'completed',
  amount: wireAmount(transaction.amountMinor, transaction.currency),
  fee: wireAmount(0n, transaction.currency),
  currency: transaction.currency,
  description: transaction.description,
  payment_rail: transaction.paymentRail,
  reference: transaction.reference,
  created_at: transaction.createdAt.toISOString(),
  updated_at: bookedAt.toISOString(),
})
