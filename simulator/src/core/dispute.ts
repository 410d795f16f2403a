import { z } from 'zod'
import type { Transaction } from './transaction.ts'

/** The bank's actions. `second` is a second chargeback after a win. */
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
  /** The provider's status. */
  status: z.string(),
  /** How often the money has moved: odd means that it is withdrawn. */
  moves: z.number(),
  category: z.string(),
  resolution: z.string().optional(),
  /** The evidence, exactly as clients sent it. */
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

/** A message as the provider would send it, before it is signed. */
interface DisputeDraft {
  readonly event: string
  readonly body: string
  readonly contentType: string
}

/** How a provider handles a bank's action. */
export interface DisputeProtocol {
  readonly newId: () => string
  readonly play: (dispute: Dispute, action: DisputeAction) => readonly DisputeStep[]
  /** Undefined if the provider sends no message for it. */
  readonly draftOf: (dispute: Dispute, event: string, payment: Transaction) => DisputeDraft | undefined
  /** A second chargeback is a separate dispute. */
  readonly opensSecond?: true
}

export interface DisputeBook {
  readonly find: (account: string, id: string) => Dispute | undefined
  readonly values: (account: string) => readonly Dispute[]
  readonly put: (dispute: Dispute) => Dispute
  /** Changes the dispute and sends the messages about it. */
  readonly report: (
    dispute: Dispute,
    steps: readonly DisputeStep[],
    sending?: SendOptions,
  ) => Promise<Dispute>
}

/** The disputes of a payment that hold its money. */
export const takingMoney = (disputes: DisputeBook, { account, reference }: Transaction): Dispute[] =>
  disputes.values(account).filter(({ payment, moves }) => payment === reference && moves % 2 === 1)

export interface SendOptions {
  readonly isSilent?: boolean
  readonly forged?: boolean
  readonly copies?: number
  /** The messages are sent in reverse order. */
  readonly isReversed?: boolean
}
