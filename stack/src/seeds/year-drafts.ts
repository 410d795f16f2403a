import { newId } from '@switchyard/server/lib/ids.ts'
import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import { badDay, corridors, declines, payers, type Corridor } from './year-corridors.ts'

/** A provider that may carry a corridor, as the installation is configured. */
export interface Route {
  provider: string
  configId: string
  accountId: string
  country: string
  method: string
  direction: string
}

export interface YearContext {
  country: string
  userId: string
  beneficiaryId: string | null
  routes: readonly Route[]
  now: Date
}

/** Columns of payments, and what their attempts and refunds are made of. */
export interface PaymentDraft {
  payment: Record<string, unknown> & { payment_id: string }
  payer: string
  attempts: Record<string, unknown>[]
  refunds: Record<string, unknown>[]
}

const dayMs = 86_400_000
const yearDays = 365
const successRate = 0.93
const refundRate = 0.018
const cards = { brand: 'visa', first6: '424242', last4: '4242', expiry_month: '12', expiry_year: '2031' }

/** The same numbers each time, so that pictures and tests can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Twice as many at the end of the year as at its begin, fewer at night and on Sundays. */
function momentOf(random: () => number, now: Date): Date {
  for (;;) {
    const ageDays = yearDays * (1 - Math.sqrt(0.25 + 0.75 * random())) * 2
    const at = new Date(now.getTime() - ageDays * dayMs)
    const hour = at.getUTCHours()
    const likelihood = (hour < 6 ? 0.25 : 1) * (at.getUTCDay() === 0 ? 0.5 : 1)
    // What happened just now would still be on its way.
    if (ageDays > 0.01 && random() < likelihood) return at
  }
}

function pick<Option extends { weight: number }>(random: () => number, options: readonly Option[]): Option {
  let left = random() * options.reduce((sum, { weight }) => sum + weight, 0)
  const found = options.find(({ weight }) => (left -= weight) < 0) ?? options.at(-1)
  if (!found) throw new Error('there is nothing to pick from')
  return found
}

export function draftPayment(
  random: () => number,
  context: YearContext,
  no: number,
): PaymentDraft | undefined {
  const corridor = pick(random, corridors[context.country] ?? [])
  const routes = context.routes.filter(
    ({ country, method, direction }) =>
      country === corridor.country && method === corridor.method && direction === corridor.direction,
  )
  if (routes.length === 0) return undefined
  const createdAt = momentOf(random, context.now)
  const payer = payers[Math.floor(random() * payers.length)] ?? payers[0]
  const amountMinor = amountOf(random, corridor)
  const tries = attemptsOf(random, routes, createdAt, context.now)
  const settledAt = new Date(createdAt.getTime() + (Number(amountMinor % 90n) + 2) * 1_000)
  const paidBy = tries.find(({ isPaid }) => isPaid)
  const isRefunded = paidBy !== undefined && corridor.direction === 'inbound' && random() < refundRate
  const refundedAt = new Date(Math.min(settledAt.getTime() + random() * 6 * dayMs, context.now.getTime()))
  const paymentId = newId()
  const last = tries.at(-1)
  return {
    payer,
    payment: {
      ...columnsOf(corridor, context, { amountMinor, no }),
      payment_id: paymentId,
      status: paidBy === undefined ? 'failed' : isRefunded ? 'refunded' : 'completed',
      event_count: paidBy === undefined ? 1 : isRefunded ? 3 : 2,
      provider: paidBy?.route.provider ?? null,
      account_id: paidBy?.route.accountId ?? null,
      provider_payment_id: paidBy ? `${paidBy.route.provider}-${paymentId.slice(-12)}` : null,
      provider_status: paidBy ? 'success' : null,
      failure_code: paidBy ? null : last?.decline.code,
      failure_message: paidBy ? null : last?.decline.message,
      refunded_minor: isRefunded ? String(amountMinor) : '0',
      routing: routingOf(routes),
      created_at: createdAt.toISOString(),
      updated_at: (isRefunded ? refundedAt : paidBy ? settledAt : createdAt).toISOString(),
    },
    attempts: tries.map((one, index) => attemptRow(one, { paymentId, no: index + 1, createdAt, settledAt })),
    refunds:
      isRefunded && paidBy ? [refundRow(paymentId, paidBy.route, { amountMinor, corridor, refundedAt })] : [],
  }
}

/** Around the typical amount, with a long tail, in whole units for large amounts. */
function amountOf(random: () => number, { typical, currency }: Corridor): bigint {
  const spread = Math.exp((random() + random() + random() - 1.5) * 1.3)
  const units = Math.max(1, typical * spread)
  const scale = 10 ** exponentOf(currency)
  return BigInt(typical >= 1_000 ? Math.round(units) * scale : Math.round(units * scale))
}

const columnsOf = (
  corridor: Corridor,
  context: YearContext,
  { amountMinor, no }: { amountMinor: bigint; no: number },
): Record<string, unknown> => ({
  user_id: context.userId,
  direction: corridor.direction,
  payment_method: corridor.method,
  country: corridor.country,
  currency: corridor.currency,
  amount_minor: String(amountMinor),
  target_currency: corridor.currency,
  target_amount_minor: String(amountMinor),
  client_reference: `${corridor.about.toLowerCase().replaceAll(' ', '-')}-${10_000 + no}`,
  description: `${corridor.about} ${10_000 + no}`,
  beneficiary_id: corridor.direction === 'outbound' ? context.beneficiaryId : null,
  custody: 'pooled',
  card: corridor.method === 'card' ? cards : null,
})

interface Try {
  route: Route
  isPaid: boolean
  decline: (typeof declines)[number]
}

/** Most declines lead to the next provider; of a card that has expired it would not help. */
function attemptsOf(random: () => number, routes: readonly Route[], at: Date, now: Date): Try[] {
  const tries: Try[] = []
  for (const route of routes.slice(0, 2)) {
    const daysAgo = Math.floor((now.getTime() - at.getTime()) / dayMs)
    const isBad = route.provider === badDay.provider && daysAgo === badDay.daysAgo
    const isPaid = random() < (isBad ? badDay.successRate : successRate)
    tries.push({ route, isPaid, decline: pick(random, declines) })
    if (isPaid || random() < 0.2) break
  }
  return tries
}

const routingOf = (routes: readonly Route[]): object => {
  const candidates = routes.map(({ provider, configId, accountId }) => ({
    provider,
    configId,
    accountId,
    custody: 'pooled',
  }))
  return { candidates, considered: candidates.map((one) => ({ ...one, taken: true, reason: 'fits' })) }
}

interface AttemptTimes {
  paymentId: string
  no: number
  createdAt: Date
  settledAt: Date
}

function attemptRow({ route, isPaid, decline }: Try, times: AttemptTimes): Record<string, unknown> {
  const startedAt = new Date(times.createdAt.getTime() + (times.no - 1) * 420)
  const answeredAt = new Date(startedAt.getTime() + 380)
  const endedAt = isPaid ? times.settledAt : answeredAt
  const accepted = { state: 'accepted', at: answeredAt.toISOString() }
  const ended = { state: isPaid ? 'succeeded' : 'declined', at: endedAt.toISOString() }
  return {
    payment_id: times.paymentId,
    attempt_no: times.no,
    provider: route.provider,
    config_id: route.configId,
    account_id: route.accountId,
    reference: newId(),
    state: ended.state,
    state_changes: isPaid ? [accepted, ended] : [ended],
    provider_ref: isPaid ? `${route.provider}-${times.paymentId.slice(-12)}` : null,
    provider_status: isPaid ? 'success' : decline.code,
    outcome_code: isPaid ? null : decline.code,
    outcome_message: isPaid ? null : decline.message,
    created_at: startedAt.toISOString(),
    updated_at: endedAt.toISOString(),
  }
}

const refundRow = (
  paymentId: string,
  { provider, accountId }: Route,
  refund: { amountMinor: bigint; corridor: Corridor; refundedAt: Date },
): Record<string, unknown> => ({
  refund_id: newId(),
  payment_id: paymentId,
  amount_minor: String(refund.amountMinor),
  currency: refund.corridor.currency,
  reason: 'The customer withdrew from the purchase.',
  reference: newId(),
  provider,
  account_id: accountId,
  created_at: refund.refundedAt.toISOString(),
})
