import { compareOutcomes } from '@switchyard/server/domains/routing/simulations/compare-outcomes.ts'
import type { SimulationResult } from '@switchyard/server/domains/routing/simulations/record.ts'
import { createReplay } from '@switchyard/server/domains/routing/simulations/replay-payments.ts'
import type { Strategy } from '@switchyard/server/domains/routing/policies/record.ts'
import { documentOf, factsOf, type Run } from './run-strategy.ts'
import type { World } from './world.ts'

/** What the simulation says a strategy would have done, from the history that another one has left. */
export function predictRun(world: World, history: Run, strategy: Strategy): SimulationResult {
  const document = documentOf(strategy)
  const replay = createReplay(document)
  for (const [position, payment] of world.payments.entries()) {
    const index = history.chosen[position] ?? 0
    const account = world.accounts[index]
    if (!account) throw new Error('the history names no account')
    const { network: _sealed, ...facts } = factsOf(payment)
    replay.add({
      ...facts,
      healthy: world.accounts,
      unhealthy: [],
      accountId: account.accountId,
      verdict: payment.succeeds[index] === true ? 'succeeded' : 'lost',
      endedAt: payment.endedAt,
      costShare: null,
    })
  }
  return compareOutcomes(replay.corridors(), { document, skipped: 0, isTruncated: false })
}
