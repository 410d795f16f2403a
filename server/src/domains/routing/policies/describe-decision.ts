import type { RouteFigures, RoutingDecision, StrategyType } from './record.ts'

const strategies: Readonly<Record<StrategyType, string>> = {
  priority: 'by priority',
  split: 'by shares',
  cost: 'to the cheapest',
  success_rate: 'to the highest success rate',
}
const owners = {
  organization: 'the organisation’s policy',
  installation: 'the installation’s policy',
} as const

interface DescribedCandidate {
  provider: string
  figures?: RouteFigures | undefined
}

/** Explains the order of the candidates in a sentence. */
export function describeDecision(
  decision: RoutingDecision | undefined,
  candidates: readonly DescribedCandidate[],
): string {
  if (!decision) return 'No routing policy applies, so the priority of the configurations decided.'
  const { policy, version, rule, strategy, isExploration, currency } = decision
  const source = `${owners[policy]}, version ${version}`
  const which =
    rule === null ? `No rule of ${source} matched, so it was routed` : `Rule “${rule}” of ${source} routed it`
  const figures = candidates.flatMap(({ provider, figures: known }) => {
    const figure = known && describeFigures(known, currency)
    return figure === undefined ? [] : [`${provider} ${figure}`]
  })
  const details = figures.length === 0 ? '' : ` (${figures.join(', ')})`
  const exploration =
    isExploration && candidates[0] ? ` ${candidates[0].provider} was tried first to learn about it.` : ''
  return `${which} ${strategies[strategy]}${details}.${exploration}`
}

const percentOf = 100

function describeFigures(figures: RouteFigures, currency: string): string | undefined {
  const { sharePercent, successRate, attempts = 0, cost } = figures
  if (sharePercent !== undefined) return `${sharePercent} %`
  if (cost !== undefined) return `${cost} ${currency}`
  if (successRate === undefined) return undefined
  return `${(successRate * percentOf).toFixed(1)} % of ${Math.round(attempts)}`
}
