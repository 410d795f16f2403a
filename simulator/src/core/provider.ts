import { join } from 'node:path'
import { LIMITS } from '../limits.ts'
import type { Kit, NewTransaction, Protocol, ProtocolParts } from '../protocol.ts'
import type { AcceptanceLog } from './acceptance-log.ts'
import { createAccountBook, DEFAULT_ACCOUNT, type AccountBook } from './accounts.ts'
import type { Clock } from './clock.ts'
import { createDisputeBook } from './dispute-book.ts'
import { disputeSchema, type DisputeBook, type DisputeProtocol } from './dispute.ts'
import { createFaultBook, type FaultBook } from './faults.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { openStore } from './store.ts'
import type { Transaction } from './transaction.ts'
import { openTransactionBook, type TransactionBook } from './transaction-book.ts'
import { createDeliverer, type Deliverer } from './webhook-delivery.ts'
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts'

interface Environment {
  readonly clock: Clock
  readonly delayMs: number
  readonly stateDir: string | undefined
  readonly webhookRetryDelaysMs: readonly number[]
  readonly defaultWebhookUrl: (provider: string) => string | undefined
  readonly publicUrl: () => string
  readonly log: AcceptanceLog
}

/** A running protocol: its parts and its state in the core. */
export interface Provider {
  readonly name: string
  readonly parts: ProtocolParts
  readonly accounts: AccountBook
  readonly faults: FaultBook
  readonly transactions: TransactionBook
  readonly disputes: DisputeBook
  readonly lifecycle: Lifecycle
  /** Stores a transaction that the client did not request, which is therefore not in the acceptance log. */
  readonly record: Kit['accept']
  readonly sender: WebhookSender
  readonly deliverer: Deliverer
  readonly stop: () => Promise<void>
}

export function openProvider(protocol: Protocol, environment: Environment): Provider {
  const { clock, stateDir } = environment
  const faults = createFaultBook()
  const accounts = createAccountBook({
    name: DEFAULT_ACCOUNT,
    webhookUrl: environment.defaultWebhookUrl(protocol.name),
    secrets: protocol.sandbox.account.secrets,
    options: protocol.sandbox.account.options ?? {},
  })
  const pathOf = (name: string) => stateDir && join(stateDir, `${protocol.name}-${name}.jsonl`)
  const transactions = openTransactionBook({
    path: pathOf('transactions'),
    onEvict: (transaction) => lifecycle.forget(transaction),
  })
  const deliverer = createDeliverer({
    clock,
    retryDelaysMs: environment.webhookRetryDelaysMs,
    sign: (webhook) => parts.signWebhook(webhook),
    signBody: (webhook) => parts.signBody?.(webhook) ?? webhook.body,
  })
  const sender = createWebhookSender({ clock, faults, deliverer })
  const lifecycle = createLifecycle({
    clock,
    accounts,
    transactions,
    sender,
    webhooksFor: (transaction) => parts.webhooksFor(transaction),
  })
  const disputeStore = openDisputeStore(pathOf('disputes'))
  const draftOf: DisputeProtocol['draftOf'] = (...told) => parts.disputes?.draftOf(...told)
  const disputes = createDisputeBook({ clock, store: disputeStore, accounts, transactions, sender, draftOf })
  const closers: (() => void)[] = [transactions.close, disputeStore.close]
  const kit: Kit = {
    provider: protocol.name,
    clock,
    delayMs: environment.delayMs,
    publicUrl: environment.publicUrl,
    transactions,
    disputes,
    objects: (name, schema) => {
      const store = openStore({ schema, limit: LIMITS.objectsPerStore, path: pathOf(name) })
      closers.push(store.close)
      return store
    },
    accept: (input) => lifecycle.begin(logAcceptance(environment, protocol.name, input)),
    move: lifecycle.move,
    resendWebhooks: lifecycle.announce,
    sendWebhook: sendAbout(accounts, sender),
  }
  const parts = protocol.create(kit)
  lifecycle.resume()
  return {
    name: protocol.name,
    parts,
    accounts,
    faults,
    transactions,
    disputes,
    lifecycle,
    record: (input) => lifecycle.begin(newTransaction(environment, protocol.name, input)),
    sender,
    deliverer,
    stop: async () => {
      lifecycle.stop()
      await deliverer.stop()
      for (const close of closers) close()
    },
  }
}

/** Sends a webhook that concerns no transaction. */
const sendAbout =
  (accounts: AccountBook, sender: WebhookSender): Kit['sendWebhook'] =>
  async ({ account: name, reference, draft }) => {
    const account = accounts.get(name)
    const transaction = { reference, operation: 'account' as const }
    if (account) await sender.send({ account, transaction, draft, forged: false, copies: 1 })
  }

const openDisputeStore = (path: string | undefined) =>
  openStore({ schema: disputeSchema, limit: LIMITS.objectsPerStore, path })

function logAcceptance(environment: Environment, provider: string, input: NewTransaction): Transaction {
  const at = environment.clock.now().toISOString()
  const { account, reference, providerRef, amount, currency, operation } = input
  const kind = operation === 'collect' ? 'charge' : operation
  environment.log.append({ provider, account, kind, reference, providerRef, amount, currency, at })
  return { provider, createdAt: at, updatedAt: at, ...input }
}

function newTransaction({ clock }: Environment, provider: string, input: NewTransaction): Transaction {
  const at = clock.now().toISOString()
  return { provider, createdAt: at, updatedAt: at, ...input }
}
