import type { ProviderName } from '@switchyard/server/connectors/registry.ts'
import { crashPoints } from '@switchyard/server/test/processes/crash-points/points.ts'
import { testCards } from './canaries.ts'
import { planBatches, type PlannedBatch } from './batch-plan.ts'
import { planPolicies, type PlannedPolicy } from './policy-plan.ts'
import { between, chanceFrom, pick, type Chance } from '../shared/chance.ts'
import { linkNames, type Move, type PartName, type ProviderFault, type Step } from '../shared/moves.ts'
import { corridorName, corridors, drivenProviders, orderFor, type Corridor } from './corridors.ts'

/** `clock`: each api and worker has a time of its own, up to an hour off, that changes while it runs. */
export const faultKinds = ['kill', 'point', 'pause', 'provider', 'network', 'clock'] as const
export type FaultKind = (typeof faultKinds)[number]

type FollowUp =
  | 'nothing'
  | 'cancel'
  | 'refund all'
  | 'refund a part'
  | 'refund elsewhere'
  | 'reversal'
  | 'dispute: lose'
  | 'dispute: win'
  | 'dispute: accept'
type Review = 'approve' | 'reject' | 'leave'
/** What the customer does on the provider's page. */
type Decision = 'pay' | 'decline' | 'leave'

/** One payment as its customer intends it. All random choices about it are made here. */
export type PlannedPayment = {
  index: number
  org: 0 | 1
  corridor: Corridor
  /** Two digits that select the simulator's behaviour. */
  sentinel: string
  amount: number
  isExchanged: boolean
  /** The index of the test card, for payments by card. */
  card: number
  wrongPasswords: number
  decision: Decision
  followUp: FollowUp
  review: Review | undefined
  /** The api that receives the first call; retries alternate between the two. */
  api: 0 | 1
  isReadByStranger: boolean
  /** Uploaded by somebody else when this payment begins. */
  batch: PlannedBatch | undefined
  /** The routing policy that is published before this payment begins. */
  policy: PlannedPolicy | undefined
}

export type PlanOptions = { payments: number; kills: number; seed: number; faults: readonly FaultKind[] }
type Plan = { payments: PlannedPayment[]; steps: Step[] }

/** A pure function of its options: the same seed gives the same plan. */
export function makePlan({ payments, kills, seed, faults }: PlanOptions): Plan {
  const chance = chanceFrom(seed)
  const movesChance = chanceFrom(seed ^ 0x5eed)
  const batches = planBatches(chanceFrom(seed ^ 0xba7c), payments, sentinels)
  const policies = planPolicies(chanceFrom(seed ^ 0x9011c7), payments)
  return {
    payments: Array.from({ length: payments }, (_, index) => ({
      ...planPayment(chance, index),
      batch: batches.get(index),
      policy: policies.get(index),
    })),
    steps: planSteps(movesChance, { payments, kills, faults }),
  }
}

/** How often each provider is tried first; the manual one only rarely. */
const turns = drivenProviders.map((provider) => [provider, provider === 'manual' ? 2 : 14] as const)

const corridorsOf = (org: 0 | 1, provider: ProviderName): (readonly [Corridor, number])[] =>
  corridors
    .filter((corridor) => orderFor(org, corridor)[0] === provider)
    .map((corridor) => [corridor, corridorName(corridor) === reviewed ? 3 : 1] as const)

/** The simulator's sentinels; about a third of them have an ambiguous outcome. */
const sentinels: readonly (readonly [string, number])[] = [
  ['00', 30],
  ['16', 9],
  ['17', 5],
  ['18', 8],
  ['19', 7],
  ['20', 4],
  ['21', 4],
  ['28', 4],
  ['11', 5],
  ['12', 3],
  ['13', 1],
  ['14', 5],
  ['22', 5],
  ['23', 4],
  ['24', 5],
  ['25', 1],
  ['26', 2],
  ['27', 2],
  ['29', 1],
]

/** The first card pays at once; the others need a further step. */
const cards = testCards.map((_, index) => [index, index === 0 ? 6 : 1] as const)

const reviewed = 'bank_transfer payout NG'
const reviewFromMajor = 500_000

function planPayment(chance: Chance, index: number): Omit<PlannedPayment, 'batch' | 'policy'> {
  const first = pick(chance, turns)
  const org = pickOrg(chance, first)
  const corridor = pick(chance, corridorsOf(org, first))
  const { method, direction } = corridor
  const asksPassword = method !== 'bank_transfer' && direction === 'payin' && chance() < 0.1
  const isReviewed = corridorName(corridor) === reviewed && org === 0 && chance() < 0.4
  return {
    index,
    org,
    corridor,
    sentinel: asksPassword ? '15' : pick(chance, sentinels),
    amount: isReviewed ? reviewFromMajor + between(chance, 0, 1_000) : between(chance, 20, 900),
    isExchanged: method === 'card' && corridor.place.currency === 'GBP' && chance() < 0.3,
    card: pick(chance, cards),
    wrongPasswords: pick(chance, [
      [0, 4],
      [1, 3],
      [2, 1],
    ]),
    decision: pick<Decision>(chance, [
      ['pay', 8],
      ['decline', 1],
      ['leave', 1],
    ]),
    followUp: pick<FollowUp>(chance, [
      ['nothing', 56],
      ['dispute: lose', 4],
      ['dispute: win', 4],
      ['dispute: accept', 4],
      ['cancel', 6],
      ['refund all', 9],
      ['refund a part', 7],
      ['refund elsewhere', 5],
      ['reversal', 5],
    ]),
    review: isReviewed
      ? pick<Review>(chance, [
          ['approve', 7],
          ['reject', 2],
          ['leave', 1],
        ])
      : undefined,
    api: chance() < 0.5 ? 0 : 1,
    isReadByStranger: chance() < 0.1,
  }
}

/** Picks either organisation, or the only one in which the provider is tried first. */
function pickOrg(chance: Chance, first: ProviderName): 0 | 1 {
  const org = chance() < 0.6 ? 0 : 1
  if (corridorsOf(org, first).length > 0) return org
  return org === 0 ? 1 : 0
}

const parts: readonly (readonly [PartName, number])[] = [
  ['api-0', 17],
  ['api-1', 17],
  ['worker-0', 16],
  ['worker-1', 16],
  ['engine-0', 7],
  ['engine-1', 7],
  ['engine-2', 7],
  ['postgres', 13],
]

const workerPoints = [
  'claimed',
  'handed_over',
  'sent',
  'ran',
  'before_second_commit',
  'after_second_commit',
] as const
const pausesPerKill = 0.2
const providerMovesPerKill = 0.25
const networkMovesPerKill = 0.2
const pointShare = 0.4
const shortestPauseMs = 500
const longestPauseMs = 5_000
const shortestCutMs = 50
const longestCutMs = 2_000

function planSteps(chance: Chance, { payments, kills, faults }: Omit<PlanOptions, 'seed'>): Step[] {
  const wants = (kind: FaultKind): boolean => faults.includes(kind)
  const moves: Move[] = []
  for (let kill = 0; kill < kills; kill += 1) moves.push(planKill(chance, wants))
  if (wants('pause'))
    for (let pause = 0; pause < Math.round(kills * pausesPerKill); pause += 1) moves.push(planPause(chance))
  if (wants('provider'))
    for (let count = 0; count < Math.round(kills * providerMovesPerKill); count += 1)
      moves.push(planProviderFault(chance))
  if (wants('network'))
    for (let cut = 0; cut < Math.round(kills * networkMovesPerKill); cut += 1) moves.push(planCut(chance))
  return shuffle(chance, moves).map((move, index) => ({
    // There are no faults during the last tenth of the payments.
    afterPayments: Math.floor((payments * 0.9 * (index + 1)) / (moves.length + 1)),
    gapMs: between(chance, 50, 900),
    move,
  }))
}

function planKill(chance: Chance, wants: (kind: FaultKind) => boolean): Move {
  const part = pick(chance, parts)
  const hasPoints = part.startsWith('api') || part.startsWith('worker')
  const isPoint = hasPoints && wants('point') && (!wants('kill') || chance() < pointShare)
  if (!isPoint) return { kind: 'kill', part }
  const points: readonly string[] = part.startsWith('api') ? crashPoints : workerPoints
  return {
    kind: 'point',
    part,
    point: pick(
      chance,
      points.map((point) => [point, 1] as const),
    ),
  }
}

const planPause = (chance: Chance): Move => ({
  kind: 'pause',
  part: pick(chance, parts),
  ms: between(chance, shortestPauseMs, longestPauseMs),
})

const planCut = (chance: Chance): Move => ({
  kind: 'network',
  link: pick(
    chance,
    linkNames.map((link) => [link, 1] as const),
  ),
  ms: between(chance, shortestCutMs, longestCutMs),
})

const providerFaults: readonly (readonly [ProviderFault, number])[] = [
  [{ on: 'webhook', fault: 'webhook_duplicate', times: 10 }, 3],
  [{ on: 'webhook', fault: 'webhook_reorder', times: 6 }, 3],
  [{ on: 'webhook', fault: 'webhook_drop', times: 6 }, 2],
  [{ on: 'webhook', fault: 'webhook_delay', times: 6, ms: 2_000 }, 2],
  [{ on: 'collect', fault: 'timeout_after', times: 4 }, 2],
  [{ on: 'payout', fault: 'error_500_accepted', times: 3 }, 2],
  [{ on: 'collect', fault: 'cut_answer', times: 3 }, 2],
  [{ on: 'refund', fault: 'timeout_after', times: 2 }, 2],
  [{ on: 'inquire', fault: 'error_500', times: 5 }, 2],
  [{ on: 'inquire', fault: 'timeout_before', times: 3 }, 2],
  [{ on: 'any', fault: 'latency', times: 10, ms: 300 }, 2],
]

const planProviderFault = (chance: Chance): Move => ({
  kind: 'provider',
  provider: pick(
    chance,
    turns.filter(([provider]) => provider !== 'manual'),
  ),
  faults: [pick(chance, providerFaults), pick(chance, providerFaults)],
})

function shuffle<Value>(chance: Chance, values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
