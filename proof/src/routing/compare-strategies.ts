import type { Strategy } from '@switchyard/server/domains/routing/policies/record.ts'
import type { SimulationResult } from '@switchyard/server/domains/routing/simulations/record.ts'
import { predictRun } from './predict-run.ts'
import { runOracle, runStrategy, type Run } from './run-strategy.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

export const strategies = {
  success_rate: { type: 'success_rate', exploration_percent: 5, daily_limit: 1_200, hysteresis_percent: 2 },
  split: {
    type: 'split',
    shares: [
      { provider: 'paystack', percent: 34 },
      { provider: 'flutterwave', percent: 33 },
      { provider: 'adyen', percent: 33 },
    ],
  },
  priority: { type: 'priority' },
} as const satisfies Record<string, Strategy>

interface Prediction {
  strategy: string
  predicted: NonNullable<SimulationResult['after']['successRate']>
  measured: number
  /** How many payments the simulation moved to another account. */
  moved: number
}

export interface Comparison {
  world: World
  oracle: Run
  runs: Readonly<Record<keyof typeof strategies, Run>>
  /** What the simulation said about each strategy, from the payments that the split had routed. */
  predictions: Prediction[]
}

const adyenFirst: Strategy = { type: 'priority', order: [{ provider: 'adyen' }] }

export function compareStrategies(options: WorldOptions): Comparison {
  const world = createWorld(options)
  const runs = {
    success_rate: runStrategy(world, strategies.success_rate),
    split: runStrategy(world, strategies.split),
    priority: runStrategy(world, strategies.priority),
  }
  const asked: [string, Strategy, Run][] = [
    ['success_rate', strategies.success_rate, runs.success_rate],
    ['priority', strategies.priority, runs.priority],
    ['adyen first', adyenFirst, runStrategy(world, adyenFirst)],
  ]
  const predictions = asked.map(([strategy, draft, real]) => {
    const { after, moved } = predictRun(world, runs.split, draft)
    if (!after.successRate) throw new Error('the simulation has no data')
    return {
      strategy,
      predicted: after.successRate,
      measured: real.succeeded / world.payments.length,
      moved,
    }
  })
  return { world, oracle: runOracle(world), runs, predictions }
}
