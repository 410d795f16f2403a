import type { CompiledQuery } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { exponentOf, wireAmount } from '../../../lib/money.ts'
import { publishEvents } from '../../webhooks/publish-events.ts'
import type { NewTransaction } from './record.ts'
import { bookTransaction, insertTransaction } from './store.ts'

/** Statements for the transaction that moves the money, after its transfers: books it and tells of it. */
export function bookingOf(orgId: string, transaction: NewTransaction, bookedAt: Date): CompiledQuery[] {
  const { transactionId, accountId, currency } = transaction
  const eventId = newId()
  const eventType = transaction.type === 'credit' ? 'virtual_account.deposit' : 'virtual_account.withdrawal'
  return [
    bookTransaction(orgId, {
      transactionId,
      accountId,
      bookedAt,
      event: {
        eventId,
        eventType,
        head: eventHead(orgId, transaction, bookedAt),
        exponent: exponentOf(currency),
      },
    }),
    publishEvents(orgId, [{ eventId, eventType }]),
  ]
}

/** One that is booked at once. */
export const writeBooked = (orgId: string, transaction: NewTransaction): CompiledQuery[] => [
  insertTransaction(orgId, transaction),
  ...bookingOf(orgId, transaction, transaction.createdAt),
]

/** The event's data without its end: whose account it is and the balance are known to the database alone. */
const eventHead = (orgId: string, transaction: NewTransaction, bookedAt: Date): string =>
  JSON.stringify({
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
  }).slice(0, -1)
