import type { Money } from '../../../lib/money/money.ts'
import { orderCandidates } from '../../routing/policies/order-candidates.ts'
import type {
  PaymentFacts,
  PublishedPolicy,
  RouteFigures,
  RoutingDecision,
  RoutingPolicySource,
} from '../../routing/policies/record.ts'
import type { RoutingMemory } from '../../routing/policies/track-routing.ts'
import type { RoutingSignals, Signal, SignalKey } from '../../routing/signals/record.ts'
import type { RouteCandidate } from '../record.ts'

/** The facts that rules can use beside the corridor and the amount. */
export type RoutingFacts = Pick<PaymentFacts, 'seed' | 'cardBrand' | 'issuerCountry' | 'network' | 'metadata'>

/** The part of a route request that the policy reads. */
interface PolicyRequest extends Pick<PaymentFacts, 'source'> {
  orgId: string
  attempt: Pick<PaymentFacts, 'direction' | 'method' | 'country'> & { amount: Money; createdAt: Date }
  facts?: RoutingFacts | undefined
}

export interface PolicyDeps {
  routingPolicies: RoutingPolicySource
  routingSignals: RoutingSignals
  routingMemory: RoutingMemory
}

interface PolicyResult {
  ordered: RouteCandidate[]
  decision: RoutingDecision | undefined
  figuresOf(this: void, route: RouteCandidate): RouteFigures | undefined
  /** Called when the payment is routed like this, and not by a preview. */
  recordChoice(this: void): void
}

interface Candidates {
  policy: PublishedPolicy | undefined
  healthy: readonly RouteCandidate[]
  unhealthy: readonly RouteCandidate[]
}

/** The signal of an account for this payment's corridor. */
export const signalOf = (
  { routingSignals }: Pick<PolicyDeps, 'routingSignals'>,
  { orgId, attempt, facts }: PolicyRequest,
  { accountId }: Pick<SignalKey, 'accountId'>,
): Signal | undefined =>
  routingSignals.read(orgId, {
    accountId,
    direction: attempt.direction,
    method: attempt.method,
    country: attempt.country,
    cardBrand: facts?.cardBrand ?? null,
  })

/** Without a policy the candidates keep their order: by priority, the unhealthy ones last. */
export function applyPolicy(
  deps: PolicyDeps,
  request: PolicyRequest,
  { policy, healthy, unhealthy }: Candidates,
): PolicyResult {
  const { orgId, attempt, facts } = request
  if (!policy || !facts)
    return {
      ordered: [...healthy, ...unhealthy],
      decision: undefined,
      figuresOf: () => undefined,
      recordChoice: () => undefined,
    }
  const { direction, method, country, createdAt: at } = attempt
  const corridorOf = (rule: string | null): string =>
    JSON.stringify([orgId, rule, direction, method, country, facts.cardBrand])
  const { ordered, decision, figuresOf, leader } = orderCandidates({
    policy,
    payment: { ...facts, at, direction, method, country, source: request.source, carried: attempt.amount },
    healthy,
    unhealthy,
    signalOf: (route) => signalOf(deps, request, route),
    leaderOf: (rule) => deps.routingMemory.leaderOf(corridorOf(rule)),
    // The signals cover every process, a second late; the memory covers this process without delay.
    explorations: Math.max(
      deps.routingSignals.explorationsOn(orgId, at),
      deps.routingMemory.explorationsOn(orgId, at),
    ),
  })
  return {
    ordered,
    decision,
    figuresOf,
    recordChoice: () => {
      if (leader !== undefined) deps.routingMemory.lead(corridorOf(decision.rule), leader)
      if (decision.isExploration) deps.routingMemory.explore(orgId, at)
    },
  }
}
