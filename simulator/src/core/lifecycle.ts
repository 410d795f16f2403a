import type { WebhookDraft } from '../protocol.ts'
import type { AccountBook } from './accounts.ts'
import { runInBackground } from './background.ts'
import type { Clock } from './clock.ts'
import { createPlanTimers } from './plan-timers.ts'
import type { TransactionBook } from './transaction-book.ts'
import { applyStep, type Step, type Transaction } from './transaction.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface SettleFilter {
  readonly reference?: string | undefined
  /** Takes all remaining steps of a plan instead of only the next one. */
  readonly all?: boolean | undefined
}

export interface Lifecycle {
  readonly begin: (transaction: Transaction) => Transaction
  readonly move: (
    transaction: Transaction,
    change: Omit<Step, 'afterMs'>,
    plan?: readonly Step[],
  ) => Promise<Transaction>
  readonly announce: (transaction: Transaction) => Promise<void>
  /** Takes planned steps now; resolves with their number after the first webhook attempts, also of other callers. */
  readonly settle: (filter: SettleFilter) => Promise<number>
  /** Starts the timers of transactions that were loaded from disk. */
  readonly resume: () => void
  readonly forget: (transaction: Transaction) => void
  readonly stop: () => void
}

interface LifecycleOptions {
  readonly clock: Clock
  readonly accounts: AccountBook
  readonly transactions: TransactionBook
  readonly sender: WebhookSender
  readonly webhooksFor: (transaction: Transaction) => readonly WebhookDraft[]
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { clock, transactions } = options
  const timers = createPlanTimers(clock)
  /** Steps that a caller has taken and whose webhooks are on their way. */
  const underWay = new Set<Promise<unknown>>()

  function save(transaction: Transaction): Transaction {
    transactions.put(transaction)
    timers.schedule(transaction, () => runInBackground(() => takeNextStep(transaction)))
    return transaction
  }

  async function takeNextStep(transaction: Transaction): Promise<Transaction> {
    const [step, ...rest] = transaction.plan
    return step === undefined ? transaction : move(transaction, step, rest)
  }

  const move: Lifecycle['move'] = async (transaction, change, plan = []) => {
    const moved = save({ ...applyStep(transaction, change, clock.now()), plan: [...plan] })
    await announce(moved)
    return moved
  }

  async function announce(transaction: Transaction): Promise<void> {
    const account = options.accounts.get(transaction.account)
    if (account === undefined || transaction.webhooks === 'never') return
    const copies = transaction.webhooks === 'twice' ? 2 : 1
    for (const draft of options.webhooksFor(transaction)) {
      await options.sender.send({ account, transaction, draft, forged: false, copies })
    }
  }

  async function settleOne(transaction: Transaction, all: boolean): Promise<number> {
    const steps = all ? transaction.plan.length : Math.min(1, transaction.plan.length)
    let current = transaction
    for (let taken = 0; taken < steps; taken += 1) current = await takeNextStep(current)
    return steps
  }

  return {
    begin: save,
    move,
    announce,
    settle: async ({ reference, all = false }) => {
      const due = [...transactions.values()].filter(
        (transaction) =>
          transaction.plan.length > 0 && (reference === undefined || transaction.reference === reference),
      )
      const taking = Promise.all(due.map((transaction) => settleOne(transaction, all)))
      underWay.add(taking)
      const steps = await taking.finally(() => underWay.delete(taking))
      await Promise.allSettled(underWay)
      return steps.reduce((sum, taken) => sum + taken, 0)
    },
    resume: () => {
      const open = [...transactions.values()].filter((transaction) => transaction.plan.length > 0)
      for (const transaction of open) save(transaction)
    },
    forget: timers.cancel,
    stop: timers.stop,
  }
}
