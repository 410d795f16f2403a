import type { Pool } from 'pg'
import { parseMinor } from '@switchyard/server/lib/money/money.ts'
import type { Acceptance } from '@switchyard/simulator/core/acceptance-log.ts'
import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import type { WebhookDelivery } from '@switchyard/simulator/core/webhook-delivery.ts'
import type { Simulator } from '@switchyard/simulator/simulator.ts'

type RampRow = {
  paymentId: string
  clientReference: string
  status: string
  phase: string
  updatedAt: Date
  exceptions: string[]
}
export type LegRow = {
  paymentId: string
  legNo: number
  kind: 'collection' | 'delivery' | 'refund' | 'whole'
  provider: string
  reference: string
  state: string
  currency: string
  amountMinor: string
  outcomeCode: string | null
  outcomeMessage: string | null
  looks: number
}

/** The state according to Postgres and the providers. */
export type RampEvidence = {
  ramps: RampRow[]
  legs: LegRow[]
  acceptances: readonly Acceptance[]
  /** By the leg's reference. */
  transactions: Map<string, Transaction>
  deliveries: readonly WebhookDelivery[]
}

export type RampViolation = { subject: string; problem: string }

const providers = ['yellowcard', 'circle'] as const
const endedStatuses: ReadonlySet<string> = new Set(['completed', 'refunded', 'failed'])

export async function gatherRamps(owner: Pool, simulator: Simulator): Promise<RampEvidence> {
  const ramps = await owner.query<RampRow>(`
    select payment_id as "paymentId", client_reference as "clientReference", status, phase, p.updated_at as "updatedAt",
           array(select kind from exceptions e where e.payment_id = p.payment_id and e.status = 'open') as exceptions
    from payments p join ramps r using (org_id, payment_id)`)
  const legs = await owner.query<LegRow>(`
    select payment_id as "paymentId", leg_no as "legNo", kind, provider, reference, state, currency,
           amount_minor::text as "amountMinor", outcome_code as "outcomeCode", outcome_message as "outcomeMessage", looks
    from ramp_legs order by payment_id, leg_no`)
  const transactions = providers.flatMap((provider) => simulator.transactions(provider))
  return {
    ramps: ramps.rows,
    legs: legs.rows,
    acceptances: providers.flatMap((provider) => simulator.log({ provider })),
    transactions: new Map(transactions.map((one) => [one.reference, one])),
    deliveries: providers.flatMap((provider) => simulator.webhooks(provider)),
  }
}

/** Whether nothing is in progress: no planned step at a provider, no pending webhook, no open ramp. */
export const isIdle = ({ ramps, transactions, deliveries }: RampEvidence): boolean =>
  ramps.every(({ status }) => endedStatuses.has(status)) &&
  [...transactions.values()].every(({ plan }) => plan.length === 0) &&
  deliveries.every(({ outcome }) => outcome !== 'waiting')

export const rampViolations = (evidence: RampEvidence): RampViolation[] => [
  ...acceptanceViolations(evidence),
  ...orderViolations(evidence),
  ...evidence.ramps.flatMap((ramp) =>
    problemsOf(ramp, evidence).map((problem) => ({ subject: ramp.paymentId, problem })),
  ),
]

/** A provider must accept each leg at most once, and none that was not committed before. */
function acceptanceViolations({ acceptances, legs }: RampEvidence): RampViolation[] {
  const paymentOf = new Map(legs.map(({ reference, paymentId }) => [reference, paymentId]))
  return [...Map.groupBy(acceptances, ({ reference }) => reference)].flatMap(([reference, own]) => {
    const paymentId = paymentOf.get(reference)
    const where = own.map(({ provider, kind, at }) => `${provider} ${kind} at ${at}`).join(', ')
    if (paymentId === undefined) return [{ subject: reference, problem: `accepted without a leg: ${where}` }]
    return own.length > 1 ? [{ subject: paymentId, problem: `one leg was accepted twice: ${where}` }] : []
  })
}

const orderViolations = ({ ramps }: RampEvidence): RampViolation[] =>
  [...Map.groupBy(ramps, ({ clientReference }) => clientReference)].flatMap(([order, own]) =>
    own.length > 1 ? [{ subject: order, problem: `one request became ${own.length} ramps` }] : [],
  )

/** How often money moved in, out and back according to the providers. */
type Money = { in: number; out: number; back: number }

function problemsOf(ramp: RampRow, evidence: RampEvidence): string[] {
  const legs = evidence.legs.filter(({ paymentId }) => paymentId === ramp.paymentId)
  if (!endedStatuses.has(ramp.status)) return [`it is still ${ramp.status}`]
  const money = moneyOf(legs, evidence.transactions)
  const told = `in ${money.in}, out ${money.out}, back ${money.back}`
  const isTold = ramp.exceptions.some((kind) => kind !== 'ramp_overpaid') || isUntold(legs, evidence)
  return [
    ...(money.out + money.back > 1 ? [`more was paid out than came in: ${told}`] : []),
    ...(fits(ramp.status, money) || isTold ? [] : [`it is ${ramp.status}, but its providers say ${told}`]),
    ...legs.flatMap((leg) => legProblems(leg, evidence.transactions.get(leg.reference))),
  ]
}

const fits = (status: string, money: Money): boolean => {
  const left = { completed: 'out', refunded: 'back' }[status]
  return money.in === (left === undefined ? 0 : 1) && money.out === (left === 'out' ? 1 : 0)
    ? money.back === (left === 'back' ? 1 : 0)
    : false
}

function moneyOf(legs: readonly LegRow[], transactions: RampEvidence['transactions']): Money {
  const money: Money = { in: 0, out: 0, back: 0 }
  for (const { kind, reference } of legs) {
    const transaction = transactions.get(reference)
    if (transaction) add(money, kind, transaction)
  }
  return money
}

function add(money: Money, kind: LegRow['kind'], { state, details }: Transaction): void {
  if (kind === 'whole') {
    const isBack = details['status'] === 'refunded' || state === 'reversed'
    if (state === 'completed' || isBack || details['status'] === 'refund_failed') money.in += 1
    if (isBack) money.back += 1
    else if (state === 'completed') money.out += 1
  } else if (state === 'completed') {
    money[kind === 'collection' ? 'in' : kind === 'delivery' ? 'out' : 'back'] += 1
  }
}

/** A provider reversed its outcome and the webhook was lost, so we cannot know. */
const isUntold = (legs: readonly LegRow[], { transactions, deliveries }: RampEvidence): boolean =>
  legs.some(({ state, reference }) => {
    const transaction = transactions.get(reference)
    const isOver = state === 'succeeded' || state === 'failed'
    const isOther = transaction && (transaction.state === 'completed') !== (state === 'succeeded')
    if (!isOver || !transaction || !isOther) return false
    const own = deliveries.filter((one) => one.reference === reference)
    return transaction.webhooks === 'never' || own.some(({ outcome }) => outcome !== 'delivered')
  })

/** A leg that we call declined or not sent must not have been accepted, and amounts must match. */
function legProblems(leg: LegRow, transaction: Transaction | undefined): string[] {
  if (!transaction) return []
  const isDenied = leg.state === 'declined' || leg.state === 'not_sent'
  // A customer may pay any amount.
  const isSame =
    leg.kind === 'collection' ||
    (transaction.currency === leg.currency &&
      parseMinor(transaction.amount, leg.currency) === BigInt(leg.amountMinor))
  return [
    ...(isDenied ? [`its ${leg.kind} is ${leg.state}, but it was accepted`] : []),
    ...(isSame ? [] : [`its ${leg.kind} moved ${transaction.amount} ${transaction.currency}`]),
  ]
}
