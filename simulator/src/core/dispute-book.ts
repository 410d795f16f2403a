import { z } from 'zod'
import type { Kit, WebhookDraft } from '../protocol.ts'
import type { AccountBook } from './accounts.ts'
import type { Clock } from './clock.ts'
import type { Store } from './store.ts'
import type { TransactionBook } from './transaction-book.ts'
import type { Transaction } from './transaction.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** What the bank does. `second` is a second chargeback after a win. */
export const DISPUTE_ACTIONS = [
  'open',
  'warn',
  'withdraw',
  'review',
  'win',
  'lose',
  'second',
  'remind',
] as const
export type DisputeAction = (typeof DISPUTE_ACTIONS)[number]

export const disputeSchema = z.object({
  id: z.string(),
  account: z.string(),
  /** The reference of the disputed payment. */
  payment: z.string(),
  amount: z.string(),
  currency: z.string(),
  reason: z.string(),
  /** The provider's own status. */
  status: z.string(),
  /** How often the money has moved: odd means that it is withdrawn. */
  moves: z.number(),
  category: z.string(),
  resolution: z.string().optional(),
  /** What clients sent as evidence, as they sent it. */
  evidence: z.array(z.unknown()),
  isSubmitted: z.boolean(),
  dueAt: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Dispute = Readonly<z.infer<typeof disputeSchema>>

/** One message of the provider, and the change that it reports. */
export interface DisputeStep {
  readonly event: string
  readonly change: Partial<Dispute>
}

/** How a provider carries out what a bank does. */
export interface DisputeProtocol {
  readonly newId: () => string
  readonly play: (dispute: Dispute, action: DisputeAction) => readonly DisputeStep[]
  /** Undefined: the provider sends no message for it. */
  readonly draftOf: (dispute: Dispute, event: string, payment: Transaction) => WebhookDraft | undefined
  /** A second chargeback is a dispute of its own. */
  readonly opensSecond?: true
}

export interface DisputeBook {
  readonly find: (account: string, id: string) => Dispute | undefined
  readonly values: (account: string) => readonly Dispute[]
  readonly put: (dispute: Dispute) => Dispute
  /** Changes the dispute and sends the messages about it. */
  readonly report: (dispute: Dispute, steps: readonly DisputeStep[], sending?: Sending) => Promise<Dispute>
}

export interface Sending {
  readonly isSilent?: boolean
  readonly forged?: boolean
  readonly copies?: number
  /** The messages leave in the reverse order. */
  readonly isReversed?: boolean
}

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

interface Opening {
  readonly amount?: string | undefined
  readonly reason?: string | undefined
  readonly dueInMs?: number | undefined
}

/** Not stored before its first step. */
export function newDispute(
  { clock }: Pick<Kit, 'clock'>,
  { newId }: DisputeProtocol,
  payment: Transaction,
  { amount, reason, dueInMs = DUE_MS }: Opening,
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
