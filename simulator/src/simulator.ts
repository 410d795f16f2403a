import Fastify, { type FastifyInstance } from 'fastify'
import { openAcceptanceLog, type Acceptance, type AcceptanceFilter } from './core/acceptance-log.ts'
import type { Account, AccountConfig } from './core/accounts.ts'
import { createSystemClock, type Clock } from './core/clock.ts'
import { serveControl } from './core/control-routes.ts'
import type { Dispute } from './core/dispute.ts'
import { playDispute, serveDisputes, type DisputeInput } from './core/dispute-control.ts'
import { createFaultBook, type FaultInput } from './core/faults.ts'
import type { SettleFilter } from './core/lifecycle.ts'
import { openProvider, type Provider } from './core/provider.ts'
import { refundByDashboard, reverseTransaction, type DashboardRefund } from './core/dashboard.ts'
import { serveRates } from './core/rates.ts'
import { serveRoute } from './core/serve-route.ts'
import type { Transaction } from './core/transaction.ts'
import type { WebhookDelivery } from './core/webhook-delivery.ts'
import { LIMITS } from './limits.ts'
import type { Protocol } from './protocol.ts'
import { PROTOCOLS } from './registry.ts'

export interface SimulatorOptions {
  readonly host?: string
  /** 0: any free port. */
  readonly port?: number
  readonly stateDir?: string | undefined
  /** Base address of Switchyard; the default account of each provider sends its webhooks there. */
  readonly webhookBaseUrl?: string | undefined
  /** The token in Switchyard's inbound webhook path. */
  readonly webhookToken?: string
  readonly delayMs?: number
  readonly webhookRetryDelaysMs?: readonly number[]
  readonly clock?: Clock
  readonly protocols?: readonly Protocol[]
}

export interface Simulator {
  readonly url: string
  /** `http://127.0.0.1:4010/pawapay` */
  readonly providerUrl: (provider: string) => string
  readonly log: (filter?: AcceptanceFilter) => readonly Acceptance[]
  readonly transactions: (provider: string) => readonly Transaction[]
  readonly webhooks: (provider: string) => readonly WebhookDelivery[]
  readonly configure: (provider: string, config: AccountConfig) => Account
  /** Replaces the faults of the provider, or of `rates`. */
  readonly setFaults: (provider: string, faults: readonly FaultInput[]) => void
  readonly setRates: (rates: Readonly<Record<string, string>>) => void
  readonly settle: (filter?: SettleFilter) => Promise<number>
  /** Reverses what the provider had completed: a bank returns a payout, or a payer gets a charge back. */
  readonly reverse: (provider: string, what: { reference: string; silently?: boolean }) => Promise<void>
  /** Refunds a charge as in the provider's dashboard, without any of the client's references. */
  readonly refund: (provider: string, what: DashboardRefund) => Promise<string>
  /** Opens a dispute, or simulates the bank's next action; resolves after the first webhook attempts. */
  readonly dispute: (provider: string, input: DisputeInput) => Promise<Dispute>
  readonly disputes: (provider: string) => readonly Dispute[]
  readonly stop: () => Promise<void>
}

const DEFAULT_DELAY_MS = 300
/** Real providers retry for hours; these delays are long enough for a restart of the whole stack. */
const DEFAULT_WEBHOOK_RETRY_DELAYS_MS = [200, 1_000, 3_000, 10_000, 20_000, 30_000]
const DEFAULT_WEBHOOK_TOKEN = 'sandbox'
const RATES = 'rates'

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const clock = options.clock ?? createSystemClock()
  const log = openAcceptanceLog(options.stateDir)
  const app = createServer()
  let url = ''
  const environment = {
    clock,
    log,
    delayMs: options.delayMs ?? DEFAULT_DELAY_MS,
    stateDir: options.stateDir,
    webhookRetryDelaysMs: options.webhookRetryDelaysMs ?? DEFAULT_WEBHOOK_RETRY_DELAYS_MS,
    defaultWebhookUrl: (provider: string) => defaultWebhookUrl(options, provider),
    publicUrl: () => url,
  }
  const opened = (options.protocols ?? PROTOCOLS).map((protocol) => openProvider(protocol, environment))
  const providers = new Map(opened.map((provider) => [provider.name, provider]))
  const rateFaults = createFaultBook()
  const faultBooks = new Map([
    ...opened.map((one) => [one.name, one.faults] as const),
    [RATES, rateFaults] as const,
  ])

  const rateFeed = serveRates(app, rateFaults, clock)
  serveControl(app, { log, providers, faultBooks })
  serveDisputes(app, providers, clock)
  for (const provider of opened) serveProvider(app, provider, clock)
  url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 })

  return {
    url,
    providerUrl: (name) => `${url}/${named(providers, name).name}`,
    log: log.read,
    transactions: (name) => [...named(providers, name).transactions.values()],
    webhooks: (name) => named(providers, name).deliverer.deliveries(),
    configure: (name, config) => {
      const account = named(providers, name).accounts.configure(config)
      if (account === undefined) throw new Error(`${name} has too many accounts`)
      return account
    },
    setFaults: (name, faults) => void named(faultBooks, name).replace(faults),
    setRates: rateFeed.override,
    settle: async (filter = {}) => {
      const steps = await Promise.all(opened.map((provider) => provider.lifecycle.settle(filter)))
      return steps.reduce((sum, taken) => sum + taken, 0)
    },
    reverse: async (name, what) => {
      if (!(await reverseTransaction(named(providers, name), what)))
        throw new Error(`${name} has completed nothing with the reference ${what.reference}`)
    },
    refund: async (name, what) => {
      const refund = await refundByDashboard(named(providers, name), what)
      if (refund === undefined) throw new Error(`${name} cannot refund ${what.reference}`)
      return refund.providerRef
    },
    dispute: async (name, input) => {
      const dispute = await playDispute(named(providers, name), clock, input)
      if (dispute === undefined) throw new Error(`${name} has no such payment or dispute`)
      return dispute
    },
    disputes: (name) => {
      const provider = named(providers, name)
      return provider.accounts.list().flatMap((account) => provider.disputes.values(account.name))
    },
    stop: async () => {
      await app.close()
      await Promise.all(opened.map((provider) => provider.stop()))
      log.close()
    },
  }
}

function createServer(): FastifyInstance {
  const app = Fastify({
    bodyLimit: LIMITS.bodyBytes,
    exposeHeadRoutes: false,
    // A call that hangs on purpose must not prevent the simulator from stopping.
    forceCloseConnections: true,
  })
  // Signatures cover the raw bytes, so the core parses bodies itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return app
}

function serveProvider(app: FastifyInstance, provider: Provider, clock: Clock): void {
  const { parts, faults, accounts } = provider
  for (const route of parts.routes) {
    if (!route.path.startsWith(`/${provider.name}/`)) {
      throw new Error(`${route.path} is outside the base path of ${provider.name}`)
    }
    const authenticate: Parameters<typeof serveRoute>[1]['authenticate'] = (call) =>
      parts.authenticate(call, accounts.list())
    serveRoute(app, { clock, faults, errors: parts, authenticate }, route)
  }
}

function defaultWebhookUrl(options: SimulatorOptions, provider: string): string | undefined {
  if (options.webhookBaseUrl === undefined) return undefined
  const token = options.webhookToken ?? DEFAULT_WEBHOOK_TOKEN
  return new URL(`/providers/${provider}/webhooks/${token}`, options.webhookBaseUrl).href
}

function named<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name)
  if (value === undefined) throw new Error(`the simulator has no ${name}`)
  return value
}
