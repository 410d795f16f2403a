import type { z } from 'zod'
import type { Account } from './core/accounts.ts'
import type { Answer, ErrorAnswers } from './core/answer.ts'
import type { Call, OpenCall } from './core/call.ts'
import type { Clock } from './core/clock.ts'
import type { Operation } from './core/faults.ts'
import type { Store } from './core/store.ts'
import type { TransactionBook } from './core/transaction-book.ts'
import type { Step, Transaction } from './core/transaction.ts'
import type { Sandbox } from './sandbox.ts'

/** One provider's wire protocol. Adding one is a folder in `protocols/` and a line in `registry.ts`. */
export interface Protocol {
  /** The provider's name in Switchyard and the base path of the protocol. */
  readonly name: string
  readonly sandbox: Sandbox
  readonly create: (kit: Kit) => ProtocolParts
}

export interface ProtocolParts extends ErrorAnswers {
  readonly routes: readonly Route[]
  /** The account whose credentials the call carries, or the provider's own 401. */
  readonly authenticate: (call: OpenCall, accounts: readonly Account[]) => Account | Answer
  /**
   * What the provider sends about the transaction as it is now; called after every change of state.
   * With `event` (a webhook sent by hand): that event, whatever the state.
   */
  readonly webhooksFor: (transaction: Transaction, event?: string) => readonly WebhookDraft[]
  /** The headers that sign one delivery attempt. */
  readonly signWebhook: (webhook: UnsignedWebhook) => Readonly<Record<string, string>>
  /** The body with its signature, where the provider puts it in there. */
  readonly signBody?: (webhook: UnsignedWebhook) => string
}

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Written out in full, base path included: `/pawapay/v2/deposits/:depositId`. */
  readonly path: string
  readonly on: Operation
  /** The client's reference, if the call carries it: faults may be bound to it. */
  readonly reference?: (call: OpenCall) => string | undefined
}

export interface AuthenticatedRoute extends RouteBase {
  readonly open?: false
  readonly handle: (call: Call) => Answer | Promise<Answer>
}

/** No credentials needed: hosted pages, public keys. */
export interface OpenRoute extends RouteBase {
  readonly open: true
  readonly handle: (call: OpenCall) => Answer | Promise<Answer>
}

export type Route = AuthenticatedRoute | OpenRoute

export interface WebhookDraft {
  readonly event: string
  readonly body: string
  readonly contentType: string
  /** Instead of the account's webhook URL, where the provider takes one with each request. */
  readonly url?: string
}

export interface UnsignedWebhook {
  /** For a forged webhook its secrets are replaced by others. */
  readonly account: Account
  readonly url: URL
  readonly body: string
  readonly contentType: string
  readonly at: Date
  readonly forged: boolean
}

/** What the core gives to a protocol. */
export interface Kit {
  readonly provider: string
  readonly clock: Clock
  /** How long a prompt takes until the payer has answered it. */
  readonly delayMs: number
  /** `http://127.0.0.1:4010`, for the addresses of hosted pages. Known once the simulator listens. */
  readonly publicUrl: () => string
  readonly transactions: TransactionBook
  /** A bounded store for anything else, such as recipients, customers or sessions. It outlives a restart too. */
  readonly objects: <Value>(name: string, schema: z.ZodType<Value>) => Store<Value>
  /** Stores the transaction, writes the acceptance log, starts its plan. */
  readonly accept: (transaction: NewTransaction) => Transaction
  /** Changes the state now, replaces the plan, sends the webhooks; resolves after their first attempt. */
  readonly move: (
    transaction: Transaction,
    change: Omit<Step, 'afterMs'>,
    plan?: readonly Step[],
  ) => Promise<Transaction>
  /** Sends the webhooks of the transaction's present state once more. */
  readonly resendWebhooks: (transaction: Transaction) => Promise<void>
  /** Sends a webhook about something that is no money transaction; resolves after its first attempt. */
  readonly sendWebhook: (webhook: {
    readonly account: string
    readonly reference: string
    readonly draft: WebhookDraft
  }) => Promise<void>
}

export type NewTransaction = Omit<Transaction, 'provider' | 'createdAt' | 'updatedAt'>
