import type { z } from 'zod'
import type { Account } from './core/accounts.ts'
import type { Answer, ErrorAnswers } from './core/answer.ts'
import type { Call, OpenCall } from './core/call.ts'
import type { Clock } from './core/clock.ts'
import type { DisputeBook, DisputeProtocol } from './core/dispute.ts'
import type { Operation } from './core/faults.ts'
import type { Store } from './core/store.ts'
import type { TransactionBook } from './core/transaction-book.ts'
import type { Step, Transaction } from './core/transaction.ts'
import type { Sandbox } from './sandbox.ts'

/** A provider's wire protocol: a folder in `protocols/` and a line in `registry.ts`. */
export interface Protocol {
  /** The provider's name in Switchyard and the base path of the protocol. */
  readonly name: string
  readonly sandbox: Sandbox
  readonly create: (kit: Kit) => ProtocolParts
}

export interface ProtocolParts extends ErrorAnswers {
  readonly routes: readonly Route[]
  /** The account that the credentials of the call belong to, or the provider's 401. */
  readonly authenticate: (call: OpenCall, accounts: readonly Account[]) => Account | Answer
  /**
   * Returns the webhooks for the transaction's current state; called after every change of state.
   * With `event` (a webhook sent by hand), returns that event in any state.
   */
  readonly webhooksFor: (transaction: Transaction, event?: string) => readonly WebhookDraft[]
  /**
   * A refund of a charge that someone makes in the provider's dashboard, without a reference of the client.
   * Absent if the provider's dashboard cannot refund, or if the client is not notified.
   */
  readonly dashboardRefund?: (
    charge: Transaction,
    terms: { amount: string; id: string },
  ) => Pick<NewTransaction, 'reference' | 'providerRef' | 'details'>
  /** The provider's dashboard refuses to refund this charge, as its API does. Absent: it never refuses. */
  readonly refusesRefund?: (charge: Transaction) => boolean
  /** The signature headers of one delivery attempt. */
  readonly signWebhook: (webhook: UnsignedWebhook) => Readonly<Record<string, string>>
  /** The body with its signature, if the provider puts the signature into the body. */
  readonly signBody?: (webhook: UnsignedWebhook) => string
  /** Absent if payments of this provider cannot be disputed here. */
  readonly disputes?: DisputeProtocol
}

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The full path with the base path: `/pawapay/v2/deposits/:depositId`. */
  readonly path: string
  readonly on: Operation
  /** The client's reference, if the call contains it; faults can be limited to a reference. */
  readonly reference?: (call: OpenCall) => string | undefined
}

interface AuthenticatedRoute extends RouteBase {
  readonly open?: false
  readonly handle: (call: Call) => Answer | Promise<Answer>
}

/** A route without authentication, such as a hosted page or a public key. */
interface OpenRoute extends RouteBase {
  readonly open: true
  readonly handle: (call: OpenCall) => Answer | Promise<Answer>
}

export type Route = AuthenticatedRoute | OpenRoute

export interface WebhookDraft {
  readonly event: string
  readonly body: string
  readonly contentType: string
  /** Replaces the account's webhook URL if the provider takes one with each request. */
  readonly url?: string
}

export interface UnsignedWebhook {
  /** For a forged webhook, its secrets are replaced. */
  readonly account: Account
  readonly url: URL
  readonly body: string
  readonly contentType: string
  readonly at: Date
  readonly forged: boolean
}

/** The services of the core for a protocol. */
export interface Kit {
  readonly provider: string
  readonly clock: Clock
  /** The time until the payer answers a prompt. */
  readonly delayMs: number
  /** `http://127.0.0.1:4010`, for the addresses of hosted pages. Available once the simulator listens. */
  readonly publicUrl: () => string
  readonly transactions: TransactionBook
  readonly disputes: DisputeBook
  /** A bounded, persistent store for other objects, such as recipients, customers or sessions. */
  readonly objects: <Value>(name: string, schema: z.ZodType<Value>) => Store<Value>
  /** Stores the transaction, appends to the acceptance log and starts its plan. */
  readonly accept: (transaction: NewTransaction) => Transaction
  /** Changes the state, replaces the plan and sends the webhooks; resolves after their first attempt. */
  readonly move: (
    transaction: Transaction,
    change: Omit<Step, 'afterMs'>,
    plan?: readonly Step[],
  ) => Promise<Transaction>
  /** Sends the webhooks of the transaction's current state again. */
  readonly resendWebhooks: (transaction: Transaction) => Promise<void>
  /** Sends a webhook that concerns no transaction; resolves after its first attempt. */
  readonly sendWebhook: (webhook: {
    readonly account: string
    readonly reference: string
    readonly draft: WebhookDraft
  }) => Promise<void>
}

export type NewTransaction = Omit<Transaction, 'provider' | 'createdAt' | 'updatedAt'>
