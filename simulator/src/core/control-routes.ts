import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { SENTINELS } from '../sentinels.ts'
import type { AcceptanceLog } from './acceptance-log.ts'
import { accountConfigSchema, type Account } from './accounts.ts'
import { refundByDashboard, reverseTransaction } from './dashboard.ts'
import { faultsSchema, type FaultBook } from './faults.ts'
import { jsonBodyOf } from './json-body.ts'
import type { Provider } from './provider.ts'
import type { Transaction } from './transaction.ts'

interface Control {
  readonly log: AcceptanceLog
  readonly providers: ReadonlyMap<string, Provider>
  /** The fault books of the providers and of the rate feed. */
  readonly faultBooks: ReadonlyMap<string, FaultBook>
}

const logQuerySchema = z.object({
  provider: z.string().optional(),
  reference: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
})

const settleSchema = z.strictObject({
  provider: z.string().optional(),
  reference: z.string().optional(),
  all: z.boolean().optional(),
})

const sendSchema = z.strictObject({
  reference: z.string(),
  event: z.string().optional(),
  forge: z.boolean().default(false),
  duplicate: z.boolean().default(false),
  /** A payment of another merchant, by default with the same reference, which the provider reports to this address. */
  other_merchant: z
    .strictObject({
      state: z.enum(['completed', 'failed', 'reversed']),
      amount: z.string(),
      has_reference: z.boolean().default(true),
    })
    .optional(),
})

const reverseSchema = z.strictObject({ reference: z.string(), silently: z.boolean().default(false) })

const refundSchema = z.strictObject({
  reference: z.string(),
  amount: z.string().optional(),
  silently: z.boolean().default(false),
})

const providerParamSchema = z.object({ provider: z.string() })

/** Routes to inspect and control the simulator. No real provider has these paths. */
export function serveControl(app: FastifyInstance, control: Control): void {
  serveState(app, control)
  serveFaults(app, control)
  serveAccounts(app, control)
  serveWebhooks(app, control)
  serveDashboards(app, control)
}

function serveState(app: FastifyInstance, { log, providers }: Control): void {
  app.get('/_health', () => ({ ok: true, providers: [...providers.keys()] }))
  app.get('/_sentinels', () => ({ sentinels: SENTINELS }))

  app.get('/_log', (request, reply) => {
    const query = logQuerySchema.safeParse(request.query)
    if (!query.success) return refuse(reply, query.error)
    const { provider, reference, after } = query.data
    const found = log.read({ provider, reference, afterSequence: after })
    const entries = found.slice(0, LIMITS.logEntriesPerAnswer)
    return { entries, dropped: log.dropped(), more: found.length > entries.length }
  })

  app.post('/_settle', async (request, reply) => {
    const body = settleSchema.safeParse(jsonBodyOf(request) ?? {})
    if (!body.success) return refuse(reply, body.error)
    const { provider: name, reference, all } = body.data
    const chosen = [...providers.values()].filter((provider) => name === undefined || provider.name === name)
    const settled = await Promise.all(chosen.map((provider) => provider.lifecycle.settle({ reference, all })))
    return { settled: settled.reduce((sum, count) => sum + count, 0) }
  })
}

function serveFaults(app: FastifyInstance, { faultBooks }: Control): void {
  app.get('/:provider/_faults', (request, reply) => {
    const faults = faultBooks.get(providerParamSchema.parse(request.params).provider)
    return faults === undefined ? unknownProvider(reply) : { faults: faults.list() }
  })
  app.put('/:provider/_faults', (request, reply) => {
    const faults = faultBooks.get(providerParamSchema.parse(request.params).provider)
    if (faults === undefined) return unknownProvider(reply)
    const body = faultsSchema.safeParse(jsonBodyOf(request))
    if (!body.success) return refuse(reply, body.error)
    return { faults: faults.replace(body.data.faults) }
  })
  app.delete('/:provider/_faults', (request, reply) => {
    const faults = faultBooks.get(providerParamSchema.parse(request.params).provider)
    return faults === undefined ? unknownProvider(reply) : { faults: faults.replace([]) }
  })
}

function serveAccounts(app: FastifyInstance, { providers }: Control): void {
  app.get('/:provider/_config', (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    return { accounts: provider.accounts.list().map(presentAccount) }
  })
  app.put('/:provider/_config', (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    const body = accountConfigSchema.safeParse(jsonBodyOf(request))
    if (!body.success) return refuse(reply, body.error)
    const account = provider.accounts.configure(body.data)
    return account === undefined
      ? reply.code(409).send({ error: 'too many accounts' })
      : presentAccount(account)
  })
}

function serveWebhooks(app: FastifyInstance, { providers }: Control): void {
  app.get('/:provider/_webhooks', (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    return provider === undefined ? unknownProvider(reply) : { webhooks: provider.deliverer.deliveries() }
  })
  app.get('/:provider/_transactions', (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    return { transactions: [...provider.transactions.values()].slice(-LIMITS.logEntriesPerAnswer) }
  })
  app.post('/:provider/_webhooks/send', async (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    const body = sendSchema.safeParse(jsonBodyOf(request))
    if (!body.success) return refuse(reply, body.error)
    const { reference, event, forge, duplicate, other_merchant } = body.data
    const found = findTransaction(provider, reference)
    const transaction = found && other_merchant ? otherMerchants(found, other_merchant) : found
    const account = transaction && provider.accounts.get(transaction.account)
    if (account === undefined || transaction === undefined) {
      return reply.code(404).send({ error: 'no transaction has this reference' })
    }
    const drafts = provider.parts.webhooksFor(transaction, event)
    for (const draft of drafts) {
      await provider.sender.send({ account, transaction, draft, forged: forge, copies: duplicate ? 2 : 1 })
    }
    return { sent: drafts.length * (duplicate ? 2 : 1) }
  })
}

/** Simulates what the client's staff or a bank does at the provider itself. */
function serveDashboards(app: FastifyInstance, { providers }: Control): void {
  app.post('/:provider/_reverse', async (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    const body = reverseSchema.safeParse(jsonBodyOf(request))
    if (!body.success) return refuse(reply, body.error)
    const reversed = await reverseTransaction(provider, body.data)
    return reversed ?? reply.code(409).send({ error: 'nothing with this reference is completed' })
  })
  app.post('/:provider/_refund', async (request, reply) => {
    const provider = providers.get(providerParamSchema.parse(request.params).provider)
    if (provider === undefined) return unknownProvider(reply)
    const body = refundSchema.safeParse(jsonBodyOf(request))
    if (!body.success) return refuse(reply, body.error)
    const refund = await refundByDashboard(provider, body.data)
    return refund ?? reply.code(409).send({ error: 'no charge with this reference can be refunded here' })
  })
}

const otherMerchants = (
  transaction: Transaction,
  { state, amount, has_reference }: NonNullable<z.infer<typeof sendSchema>['other_merchant']>,
): Transaction => ({
  ...transaction,
  ...(!has_reference && { reference: randomUUID(), details: { ...transaction.details, metadata: {} } }),
  providerRef: randomUUID(),
  amount,
  state,
  failure: state === 'failed' ? { code: 'UNSPECIFIED', message: 'It failed.' } : undefined,
})

function findTransaction(provider: Provider, reference: string): Transaction | undefined {
  for (const transaction of provider.transactions.values()) {
    if (transaction.reference === reference || transaction.providerRef === reference) return transaction
  }
  return undefined
}

function presentAccount(account: Account) {
  const { name, webhookUrl, secrets, options } = account
  return { account: name, webhook_url: webhookUrl ?? null, secrets, options }
}

function refuse(reply: FastifyReply, error: z.ZodError): FastifyReply {
  return reply.code(400).send({ error: z.prettifyError(error) })
}

function unknownProvider(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: 'unknown provider' })
}
