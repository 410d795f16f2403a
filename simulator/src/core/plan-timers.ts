import type { Clock } from './clock.ts'
import { keyOf } from './transaction-book.ts'
import type { Transaction } from './transaction.ts'

/** One timer for each transaction, for the next step of its plan. */
interface PlanTimers {
  readonly schedule: (transaction: Transaction, run: () => void) => void
  readonly cancel: (transaction: Transaction) => void
  readonly stop: () => void
}

export function createPlanTimers(clock: Clock): PlanTimers {
  const cancelByKey = new Map<string, () => void>()

  function cancel(transaction: Transaction): void {
    const key = keyOf(transaction)
    cancelByKey.get(key)?.()
    cancelByKey.delete(key)
  }

  return {
    schedule: (transaction, run) => {
      cancel(transaction)
      const next = transaction.plan[0]
      if (next !== undefined) cancelByKey.set(keyOf(transaction), clock.after(next.afterMs, run))
    },
    cancel,
    stop: () => {
      for (const stopTimer of cancelByKey.values()) stopTimer()
      cancelByKey.clear()
    },
  }
}
