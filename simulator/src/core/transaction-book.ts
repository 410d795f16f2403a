import { LIMITS } from '../limits.ts'
import { openStore } from './store.ts'
import { transactionSchema, type MoneyOperation, type Transaction } from './transaction.ts'

interface TransactionKey {
  readonly account: string
  readonly operation: MoneyOperation
  readonly reference: string
}

export interface TransactionBook {
  readonly put: (transaction: Transaction) => void
  /** Finds by the client's reference, which is the idempotency key. */
  readonly find: (key: TransactionKey) => Transaction | undefined
  readonly findByProviderRef: (account: string, providerRef: string) => Transaction | undefined
  readonly values: () => Iterable<Transaction>
  readonly close: () => void
}

interface TransactionBookOptions {
  readonly path: string | undefined
  readonly onEvict: (transaction: Transaction) => void
}

export function openTransactionBook(options: TransactionBookOptions): TransactionBook {
  const keyByProviderRef = new Map<string, string>()
  const store = openStore({
    schema: transactionSchema,
    limit: LIMITS.transactionsPerProvider,
    path: options.path,
    onEvict: (transaction) => {
      keyByProviderRef.delete(providerRefKey(transaction.account, transaction.providerRef))
      options.onEvict(transaction)
    },
  })
  for (const transaction of store.values()) index(transaction)

  function index(transaction: Transaction): void {
    keyByProviderRef.set(providerRefKey(transaction.account, transaction.providerRef), keyOf(transaction))
  }

  return {
    put: (transaction) => {
      store.put(keyOf(transaction), transaction)
      index(transaction)
    },
    find: (key) => store.get(keyOf(key)),
    findByProviderRef: (account, providerRef) => {
      const key = keyByProviderRef.get(providerRefKey(account, providerRef))
      return key === undefined ? undefined : store.get(key)
    },
    values: store.values,
    close: store.close,
  }
}

export function keyOf(key: TransactionKey): string {
  return JSON.stringify([key.account, key.operation, key.reference])
}

function providerRefKey(account: string, providerRef: string): string {
  return JSON.stringify([account, providerRef])
}
