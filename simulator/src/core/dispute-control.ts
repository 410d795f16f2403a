import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { newDispute } from './dispute-book.ts'
import { DISPUTE_ACTIONS, type Dispute, type DisputeAction, type SendOptions } from './dispute.ts'
import type { Clock } from './clock.ts'
import { jsonBodyOf } from './json-body.ts'
import type { Provider } from './provider.ts'
import type { Transaction } from './transaction.ts'

const sendingFields = {
  /** False: no webhook is sent, as if it had been lost. */
  deliver: z.boolean().default(true),
  forge: z.boolean().default(false),
  duplicate: z.boolean().default(false),
  reverse: z.boolean().default(false),
}
const openSchema = z.strictObject({
  reference: z.string(),
  action: z.enum(['open', 'warn']).default('open'),
  amount: z.string().optional(),
  reason: z.string().optional(),
  due_in_ms: z.int().optional(),
  ...sendingFields,
})
const actSchema = z.strictObject({ action: z.enum(DISPUTE_ACTIONS), ...sendingFields })
const paramsSchema = z.object({ provider: z.string(), id: z.string().default('') })

export type DisputeInput = z.input<typeof openSchema> | (z.input<typeof actSchema> & { id: string })

type SendInput = z.infer<typeof actSchema>
const sendingOf = ({ deliver, forge, duplicate, reverse }: Omit<SendInput, 'action'>): SendOptions => ({
  isSilent: !deliver,
  forged: forge,
  copies: duplicate ? 2 : 1,
  isReversed: reverse,
})

/** Opens a dispute, or simulates the bank's next action. Returns undefined if the payment or dispute does not exist. */
export async function playDispute(
  provider: Provider,
  clock: Clock,
  input: DisputeInput,
): Promise<Dispute | undefined> {
  const protocol = provider.parts.disputes
  const payments = [...provider.transactions.values()].filter(({ operation }) => operation === 'collect')
  if (!protocol) return undefined
  const start = (payment: Transaction, more: object, action: DisputeAction, sending: SendOptions) => {
    const dispute = newDispute({ clock }, protocol, payment, more)
    return provider.disputes.report(dispute, protocol.play(dispute, action), sending)
  }
  if ('reference' in input) {
    const { reference, action, amount, reason, due_in_ms, ...sending } = openSchema.parse(input)
    const payment = payments.find((one) => one.reference === reference || one.providerRef === reference)
    return payment && start(payment, { amount, reason, dueInMs: due_in_ms }, action, sendingOf(sending))
  }
  const { id, ...rest } = input
  const { action, ...sending } = actSchema.parse(rest)
  const dispute = provider.accounts
    .list()
    .flatMap(({ name }) => provider.disputes.find(name, id) ?? [])
    .at(0)
  if (!dispute) return undefined
  if (action === 'second' && protocol.opensSecond) {
    const payment = payments.find((one) => one.reference === dispute.payment)
    return payment && start(payment, { amount: dispute.amount }, 'second', sendingOf(sending))
  }
  return provider.disputes.report(dispute, protocol.play(dispute, action), sendingOf(sending))
}

export function serveDisputes(
  app: FastifyInstance,
  providers: ReadonlyMap<string, Provider>,
  clock: Clock,
): void {
  const answer = async (
    reply: FastifyReply,
    params: unknown,
    read: (id: string) => z.ZodSafeParseResult<object>,
  ) => {
    const { provider: name, id } = paramsSchema.parse(params)
    const provider = providers.get(name)
    const body = read(id)
    if (!body.success) return reply.code(400).send({ error: z.prettifyError(body.error) })
    const input = (id === '' ? body.data : { id, ...body.data }) as DisputeInput // parsed by the same schema
    const dispute = provider && (await playDispute(provider, clock, input))
    return dispute ?? reply.code(404).send({ error: 'no such provider, payment or dispute' })
  }
  app.get('/:provider/_disputes', (request, reply) => {
    const provider = providers.get(paramsSchema.parse(request.params).provider)
    if (!provider) return reply.code(404).send({ error: 'unknown provider' })
    return { disputes: provider.accounts.list().flatMap(({ name }) => provider.disputes.values(name)) }
  })
  app.post('/:provider/_disputes', (request, reply) =>
    answer(reply, request.params, () => openSchema.safeParse(jsonBodyOf(request) ?? {})),
  )
  app.post('/:provider/_disputes/:id', (request, reply) =>
    answer(reply, request.params, () => actSchema.safeParse(jsonBodyOf(request) ?? {})),
  )
}
