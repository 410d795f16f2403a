import { z } from 'zod'
import type { Store } from '../../core/store.ts'
import { transactionSchema, type Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { isSession } from './ids.ts'
import { paymentDetailsOf } from './details.ts'

const customerSchema = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.string(),
})
export type Customer = z.infer<typeof customerSchema>

/** Stripe's objects beside the accepted payments and refunds. */
export interface Books {
  readonly kit: Kit
  readonly customers: Store<Customer>
  /** Intents whose first attempt was declined: they can be looked up, but were never accepted. */
  readonly declined: Store<Transaction>
}

export function openBooks(kit: Kit): Books {
  return {
    kit,
    customers: kit.objects('customers', customerSchema),
    declined: kit.objects('declined', transactionSchema),
  }
}

export function storeKey(account: string, id: string): string {
  return JSON.stringify([account, id])
}

/** Every intent of the account; the newest come first. */
export function intentsOf({ kit, declined }: Books, account: string): Transaction[] {
  const accepted = [...kit.transactions.values()].filter(
    (transaction) =>
      transaction.operation === 'collect' &&
      (!isSession(transaction) || paymentDetailsOf(transaction).hasTried === true),
  )
  return newestFirst([...accepted, ...declined.values()], account)
}

export function newestFirst(transactions: readonly Transaction[], account: string): Transaction[] {
  return transactions
    .filter((transaction) => transaction.account === account)
    .reverse()
    .sort((left, right) => (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0))
}
