import { orderCandidates } from '@switchyard/server/domains/routing/policies/order-candidates.ts'
import type { PolicyDocument, Strategy } from '@switchyard/server/domains/routing/policies/record.ts'
import { createFold, type World, type WorldPayment } from './world.ts'

export interface Run {
  /** The index of the account that each payment was sent to. */
  chosen: number[]
  succeeded: number
  succeededByHour: number[]
  /** How many payments were explorations, by UTC day. */
  explorationsByDay: number[]
}

const hourMs = 60 * 60_000
const hoursPerDay = 24

export const documentOf = (strategy: Strategy): PolicyDocument => ({ rules: [], otherwise: strategy })

/** Routes every payment of the world by the strategy, which learns from what it sees and nothing else. */
export function runStrategy(world: World, strategy: Strategy): Run {
  const document = documentOf(strategy)
  const fold = createFold()
  const run = emptyRun(world)
  let leader: string | undefined
  for (const payment of world.payments) {
    fold.advance(payment.at)
    const hour = hourOf(world, payment)
    const day = Math.floor(hour / hoursPerDay)
    const { ordered, decision, ...next } = orderCandidates({
      policy: { owner: 'organization', version: 1, document },
      payment: factsOf(payment),
      healthy: world.accounts,
      unhealthy: [],
      signalOf: ({ accountId }) => fold.signalOf(accountId),
      leaderOf: () => leader,
      explorations: run.explorationsByDay[day] ?? 0,
    })
    leader = next.leader ?? leader
    if (decision.isExploration) run.explorationsByDay[day] = (run.explorationsByDay[day] ?? 0) + 1
    const [first] = ordered
    const index = world.accounts.findIndex(({ accountId }) => accountId === first?.accountId)
    if (!first || index === -1) throw new Error('a payment got no decision')
    const succeeded = payment.succeeds[index] === true
    fold.ended(first.accountId, { at: payment.endedAt, succeeded })
    note(run, { index, hour, succeeded })
  }
  return run
}

/** Knows the truth: the best account of each hour. */
export function runOracle(world: World): Run {
  const run = emptyRun(world)
  for (const payment of world.payments) {
    const hour = hourOf(world, payment)
    const rates = world.rates.map((ofAccount) => ofAccount[hour] ?? 0)
    const index = rates.indexOf(Math.max(...rates))
    note(run, { index, hour, succeeded: payment.succeeds[index] === true })
  }
  return run
}

const emptyRun = ({ hours }: World): Run => ({
  chosen: [],
  succeeded: 0,
  succeededByHour: Array.from({ length: hours }, () => 0),
  explorationsByDay: Array.from({ length: Math.ceil(hours / hoursPerDay) }, () => 0),
})

function note(
  run: Run,
  { index, hour, succeeded }: { index: number; hour: number; succeeded: boolean },
): void {
  run.chosen.push(index)
  if (!succeeded) return
  run.succeeded++
  run.succeededByHour[hour] = (run.succeededByHour[hour] ?? 0) + 1
}

const hourOf = ({ startsAt }: World, { at }: WorldPayment): number =>
  Math.floor((at.getTime() - startsAt.getTime()) / hourMs)

const money = { amountMinor: 100_000n, currency: 'NGN' }

export const factsOf = ({ seed, at }: WorldPayment) => ({
  seed,
  at,
  direction: 'payin' as const,
  method: 'card',
  country: 'NG',
  source: money,
  carried: money,
  cardBrand: null,
  issuerCountry: null,
  network: null,
  metadata: null,
})
