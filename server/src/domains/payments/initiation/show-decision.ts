import { z } from 'zod'
import { rawNumber } from '../../../lib/text/json.ts'
import { wireDecimal } from '../../../lib/requests/wire.ts'
import { describeDecision } from '../../routing/policies/describe-decision.ts'
import type { RouteFigures } from '../../routing/policies/record.ts'
import type { ConsideredRoute, Routing } from '../record.ts'

/** The decision of the routing policy as the preview and the timeline show it. */
export const routeFigures = z
  .object({
    share_percent: z.number().optional(),
    success_rate: z.number().optional().meta({ description: 'Expected, between 0 and 1.', example: 0.93 }),
    attempts: z
      .number()
      .optional()
      .meta({ description: 'The weight of the attempts behind the rate; older ones weigh less.' }),
    cost: wireDecimal.optional().meta({ description: 'What the provider is expected to charge.' }),
  })
  .meta({ id: 'RouteFigures' })

export const routingDecision = z
  .object({
    explanation: z.string().meta({
      example: 'Rule “Cards in Nigeria” of the organisation’s policy, version 3 routed it by shares.',
    }),
    policy: z
      .enum(['organization', 'installation'])
      .nullable()
      .meta({ description: 'Null: no policy applies, so the priorities decide.' }),
    version: z.int().nullable(),
    rule: z.string().nullable().meta({ description: 'Null: none matched, or there is no policy.' }),
    strategy: z.enum(['priority', 'split', 'cost', 'success_rate']),
    is_exploration: z.boolean().meta({
      description: 'The first candidate is tried to learn about it, although another one leads.',
    }),
    cost_currency: z.string().nullable(),
  })
  .meta({ id: 'RoutingDecision' })

export const toFigures = (figures: RouteFigures): z.input<typeof routeFigures> => ({
  ...(figures.sharePercent !== undefined && { share_percent: figures.sharePercent }),
  ...(figures.successRate !== undefined && { success_rate: figures.successRate }),
  ...(figures.attempts !== undefined && { attempts: figures.attempts }),
  ...(figures.cost !== undefined && { cost: rawNumber(figures.cost) }),
})

export const toDecision = (routing: Routing): z.input<typeof routingDecision> => ({
  explanation: explain(routing),
  policy: routing.decision?.policy ?? null,
  version: routing.decision?.version ?? null,
  rule: routing.decision?.rule ?? null,
  strategy: routing.decision?.strategy ?? 'priority',
  is_exploration: routing.decision?.isExploration ?? false,
  cost_currency: routing.decision?.currency ?? null,
})

/** Those that were taken stand in the order in which they are tried, which a policy or their health may have changed. */
export function inTriedOrder({ candidates, considered }: Routing): ConsideredRoute[] {
  const placeOf = ({ configId }: ConsideredRoute): number => {
    const place = candidates.findIndex((candidate) => candidate.configId === configId)
    return place === -1 ? candidates.length : place
  }
  const taken = considered
    .filter((route) => route.taken)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .values()
  return considered.map((route) => (route.taken ? (taken.next().value ?? route) : route))
}

/** The candidates in order, and the reason if a policy decided. */
export function describeRouting(routing: Routing): string {
  const names = routing.candidates.map(({ provider }) => provider).join(', then ')
  return routing.decision ? `${names}. ${explain(routing)}` : names
}

const explain = ({ decision, candidates, considered }: Routing): string =>
  describeDecision(
    decision,
    candidates.map(({ provider, configId }) => ({
      provider,
      figures: considered.find((route) => route.configId === configId)?.figures,
    })),
  )
