import { adjustableDeclines } from '@switchyard/server/domains/routing/policies/record.ts'
import { policyDocument } from '@switchyard/server/domains/routing/policies/schema.ts'
import { between, pick, type Chance } from '../shared/chance.ts'
import { corridors, type Corridor } from './corridors.ts'

/** A routing policy as somebody publishes it while payments are made. All random choices about it are made here. */
export type PlannedPolicy = ReturnType<typeof policyDocument.parse>

const paymentsPerPolicy = 25

/** The policies by the index of the payment with which each is published; at least one. */
export function planPolicies(chance: Chance, payments: number): Map<number, PlannedPolicy> {
  const count = Math.max(1, Math.round(payments / paymentsPerPolicy))
  const gap = payments / count
  return new Map(Array.from({ length: count }, (_, index) => [Math.floor(index * gap), planPolicy(chance)]))
}

const routed = corridors.map((corridor) => [corridor, corridor.providers.length] as const)

function planPolicy(chance: Chance): PlannedPolicy {
  const rules = Array.from({ length: between(chance, 0, 4) }, (_, index) => {
    const corridor = pick(chance, routed)
    const when = {
      ...(chance() < 0.5 && { direction: corridor.direction }),
      ...(chance() < 0.5 && { method: [corridor.method] }),
      ...(chance() < 0.7 && { country: [corridor.place.country] }),
      ...(chance() < 0.3 && { amount: { currency: corridor.place.currency, min: between(chance, 0, 500) } }),
      ...(chance() < 0.2 && { time_of_day: { from: '00:00', to: '12:00', zone: 'Africa/Lagos' } }),
    }
    return { name: `Rule ${index + 1}`, when, strategy: planStrategy(chance, corridor) }
  })
  const otherwise = planStrategy(chance, pick(chance, routed))
  const fallback = Object.fromEntries(
    adjustableDeclines.flatMap((code) => (chance() < 0.3 ? [[code, pickConsequence(chance)]] : [])),
  )
  return policyDocument.parse({ rules, otherwise, fallback })
}

const pickConsequence = (chance: Chance): string =>
  pick(chance, [
    ['next', 3],
    ['later', 2],
    ['stop', 1],
  ])

function planStrategy(chance: Chance, { providers }: Corridor): unknown {
  const order = providers.toReversed().map((provider) => ({ provider }))
  const first = between(chance, 0, 100)
  const [one, other] = providers
  return pick<object>(chance, [
    [{ type: 'priority', order }, 1],
    [{ type: 'cost', order }, 1],
    [
      {
        type: 'success_rate',
        exploration_percent: 20,
        daily_limit: between(chance, 0, 50),
        hysteresis_percent: between(chance, 0, 10),
      },
      2,
    ],
    [
      {
        type: 'split',
        shares:
          other === undefined
            ? [{ provider: one, percent: 100 }]
            : [
                { provider: one, percent: first },
                { provider: other, percent: 100 - first },
              ],
      },
      2,
    ],
  ])
}
