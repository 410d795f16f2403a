import type { AccountBook } from './accounts.ts'
import type { Clock } from './clock.ts'
import type { Dispute, DisputeBook, DisputeProtocol, DisputeStep } from './dispute.ts'
import type { Store } from './store.ts'
import type { TransactionBook } from './transaction-book.ts'
import type { Transaction } from './transaction.ts'
import type { WebhookSender } from './webhook-sender.ts'

interface DisputeBookOptions {
  readonly clock: Clock
  readonly store: Store<Dispute>
  readonly accounts: AccountBook
  readonly transactions: TransactionBook
  readonly sender: WebhookSender
  readonly draftOf: DisputeProtocol['draftOf']
}

export function createDisputeBook(options: DisputeBookOptions): DisputeBook {
  const { store, clock } = options
  const keyOf = (account: string, id: string) => JSON.stringify([account, id])

  function put(dispute: Dispute): Dispute {
    store.put(keyOf(dispute.account, dispute.id), dispute)
    return dispute
  }

  function apply(dispute: Dispute, steps: readonly DisputeStep[]) {
    let current = dispute
    const told: { dispute: Dispute; event: string }[] = []
    for (const { event, change } of steps) {
      current = put({ ...current, ...change, updatedAt: clock.now().toISOString() })
      told.push({ dispute: current, event })
    }
    return { current, told }
  }

  return {
    find: (account, id) => store.get(keyOf(account, id)),
    values: (account) => [...store.values()].filter((dispute) => dispute.account === account).toReversed(),
    put,
    report: async (dispute, steps, sending = {}) => {
      const { current, told } = apply(dispute, steps)
      const account = options.accounts.get(dispute.account)
      const payment = options.transactions.find({
        account: dispute.account,
        operation: 'collect',
        reference: dispute.payment,
      })
      if (sending.isSilent === true || account === undefined || payment === undefined) return current
      for (const one of sending.isReversed === true ? told.toReversed() : told) {
        const draft = options.draftOf(one.dispute, one.event, payment)
        const transaction = { reference: dispute.payment, operation: 'dispute' as const }
        const { forged = false, copies = 1 } = sending
        if (draft) await options.sender.send({ account, transaction, draft, forged, copies })
      }
      return current
    },
  }
}

const DUE_MS = 7 * 86_400_000

interface DisputeTerms {
  readonly amount?: string | undefined
  readonly reason?: string | undefined
  readonly dueInMs?: number | undefined
}

/** The dispute is stored with its first step. */
export function newDispute(
  { clock }: { readonly clock: Clock },
  { newId }: DisputeProtocol,
  payment: Transaction,
  { amount, reason, dueInMs = DUE_MS }: DisputeTerms,
): Dispute {
  const now = clock.now()
  return {
    id: newId(),
    account: payment.account,
    payment: payment.reference,
    amount: amount ?? payment.amount,
    currency: payment.currency,
    reason: reason ?? 'fraudulent',
    status: '',
    moves: 0,
    category: 'chargeback',
    evidence: [],
    isSubmitted: false,
    dueAt: new Date(now.getTime() + dueInMs).toISOString(),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}
