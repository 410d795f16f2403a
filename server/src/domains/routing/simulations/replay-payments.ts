import { orderCandidates } from '../policies/order-candidates.ts'
import type { PaymentFacts, PolicyDocument, PublishedPolicy } from '../policies/record.ts'
import { expectedCost } from '../policies/rules.ts'
import { floorTo } from '../signals/rules.ts'
import type { ReplayPayment, ReplayRoute } from './record.ts'
import { addMoments, noMoments, type Moments } from './rules.ts'
import { createReplaySignals } from './track-weights.ts'

/** The results of the first attempts at an account. */
export interface OutcomeCount {
  succeeded: number
  total: number
}

/** The payments of one corridor and card brand at one account. */
export interface AccountTally {
  provider: string
  paymentsBefore: number
  paymentsAfter: number
  observed: OutcomeCount
  hours: Map<number, OutcomeCount>
  /** The payments that stay with the account. */
  stayed: OutcomeCount
  /** The payments that would have moved to it, by hour, without those that the customer ended. */
  movedByHour: Map<number, number>
  costsBefore: Moments
  costsAfter: Moments
  /** What the provider has charged. The two counts are of payments without another price. */
  charged: Moments
  unpricedBefore: number
  unpricedAfter: number
}

export interface CorridorTally {
  direction: 'payin' | 'payout'
  method: string
  country: string
  cardBrand: string | null
  payments: number
  moved: number
  accounts: Map<string, AccountTally>
}

interface Replay {
  /** In the order of their time. */
  add(payment: ReplayPayment): void
  corridors(): CorridorTally[]
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Applies a policy to past payments, one after the other, and counts which accounts would have carried them. */
export function createReplay(document: PolicyDocument): Replay {
  const policy: PublishedPolicy = { owner: 'organization', version: 0, document }
  const corridors = new Map<string, CorridorTally>()
  const signals = createReplaySignals()
  const leaders = new Map<string, string>()
  let explored = { day: 0, count: 0 }

  const chooseFirst = (payment: ReplayPayment): ReplayRoute | undefined => {
    const day = floorTo(payment.at, dayMs).getTime()
    if (explored.day !== day) explored = { day, count: 0 }
    const corridor = corridorKey(payment)
    const { ordered, decision, leader } = orderCandidates({
      policy,
      payment: factsOf(payment),
      healthy: payment.healthy,
      unhealthy: payment.unhealthy,
      signalOf: ({ accountId }) => signals.read(`${corridor} ${accountId}`),
      leaderOf: (rule) => leaders.get(`${corridor} ${rule ?? ''}`),
      explorations: explored.count,
    })
    if (leader !== undefined) leaders.set(`${corridor} ${decision.rule ?? ''}`, leader)
    if (decision.isExploration) explored.count++
    return ordered[0]
  }

  return {
    add(payment) {
      signals.advance(payment.at)
      const chosen = chooseFirst(payment)
      const corridor = find(corridors, corridorKey(payment), () => emptyCorridor(payment))
      count(corridor, payment, chosen, document)
      if (payment.endedAt)
        signals.ended(`${corridorKey(payment)} ${payment.accountId}`, {
          at: payment.endedAt,
          verdict: payment.verdict,
          costShare: payment.costShare,
        })
    },
    corridors: () => [...corridors.values()],
  }
}

const corridorKey = ({ direction, method, country, cardBrand }: ReplayPayment): string =>
  `${direction} ${method} ${country} ${cardBrand ?? ''}`

/** The network is sealed with the customer's details, so no rule about it can match. */
const factsOf = (payment: ReplayPayment): PaymentFacts => ({
  seed: payment.seed,
  at: payment.at,
  direction: payment.direction,
  method: payment.method,
  country: payment.country,
  source: payment.source,
  carried: payment.carried,
  cardBrand: payment.cardBrand,
  issuerCountry: payment.issuerCountry,
  network: null,
  metadata: payment.metadata,
})

function count(
  corridor: CorridorTally,
  payment: ReplayPayment,
  chosen: ReplayRoute | undefined,
  document: PolicyDocument,
): void {
  const candidates = [...payment.healthy, ...payment.unhealthy]
  const actual = candidates.find(({ accountId }) => accountId === payment.accountId)
  const before = tallyOf(corridor, actual ?? { accountId: payment.accountId, provider: 'unknown' })
  const after = tallyOf(corridor, chosen ?? actual ?? { accountId: payment.accountId, provider: 'unknown' })
  const hour = Math.floor(payment.at.getTime() / hourMs)
  const succeeded = payment.verdict === 'succeeded' ? 1 : 0
  const ended = payment.verdict === undefined ? 0 : 1
  corridor.payments++
  before.paymentsBefore++
  after.paymentsAfter++
  add(before.observed, succeeded, ended)
  add(find(before.hours, hour, noOutcomes), succeeded, ended)
  if (payment.costShare !== null) before.charged = addMoments(before.charged, momentsOf(payment.costShare))
  if (after === before) add(after.stayed, succeeded, ended)
  else {
    corridor.moved++
    after.movedByHour.set(hour, (after.movedByHour.get(hour) ?? 0) + ended)
  }
  price({ before, after }, payment, { actual, chosen: chosen ?? actual, document })
}

/** Both sides are priced in the same way: by the terms of the policy, else later by what was charged. */
function price(
  { before, after }: { before: AccountTally; after: AccountTally },
  payment: ReplayPayment,
  routes: { actual: ReplayRoute | undefined; chosen: ReplayRoute | undefined; document: PolicyDocument },
): void {
  const terms = routes.document.costs ?? []
  const shareOf = (route: ReplayRoute | undefined): number | undefined => {
    const cost =
      route && terms.length > 0 ? expectedCost(terms, route, factsOf(payment), undefined) : undefined
    return cost === undefined ? undefined : Number(cost) / Number(payment.carried.amountMinor)
  }
  const shareBefore = shareOf(routes.actual)
  if (shareBefore === undefined) before.unpricedBefore++
  else before.costsBefore = addMoments(before.costsBefore, momentsOf(shareBefore))
  const shareAfter = after === before ? shareBefore : shareOf(routes.chosen)
  if (shareAfter === undefined) after.unpricedAfter++
  else after.costsAfter = addMoments(after.costsAfter, momentsOf(shareAfter))
}

const momentsOf = (value: number): Moments => ({ count: 1, sum: value, squares: value * value })

const noOutcomes = (): OutcomeCount => ({ succeeded: 0, total: 0 })

function add(observed: OutcomeCount, succeeded: number, total: number): void {
  observed.succeeded += succeeded
  observed.total += total
}

const emptyCorridor = ({ direction, method, country, cardBrand }: ReplayPayment): CorridorTally => ({
  direction,
  method,
  country,
  cardBrand,
  payments: 0,
  moved: 0,
  accounts: new Map(),
})

const tallyOf = (corridor: CorridorTally, { accountId, provider }: ReplayRoute): AccountTally =>
  find(corridor.accounts, accountId, () => ({
    provider,
    paymentsBefore: 0,
    paymentsAfter: 0,
    observed: noOutcomes(),
    hours: new Map(),
    stayed: noOutcomes(),
    movedByHour: new Map(),
    costsBefore: noMoments,
    costsAfter: noMoments,
    charged: noMoments,
    unpricedBefore: 0,
    unpricedAfter: 0,
  }))

function find<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
