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

/** What rules can ask beyond the corridor and the amount. */
export type RoutingFacts = Pick<PaymentFacts, 'seed' | 'cardBrand' | 'issuerCountry' | 'network' | 'metadata'>

/** The part of a route request that the policy looks at. */
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

interface Applied {
  ordered: RouteCandidate[]
  decision: RoutingDecision | undefined
  figuresOf(this: void, route: RouteCandidate): RouteFigures | undefined
  /** Called when the payment is really routed like this, and not by a preview. */
  remember(this: void): void
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
): Applied {
  const { orgId, attempt, facts } = request
  if (!policy || !facts)
    return {
      ordered: [...healthy, ...unhealthy],
      decision: undefined,
      figuresOf: () => undefined,
      remember: () => undefined,
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
    // The signals know of every process, but a second late; this process knows its own at once.
    explorations: Math.max(
      deps.routingSignals.explorationsOn(orgId, at),
      deps.routingMemory.explorationsOn(orgId, at),
    ),
  })
  return {
    ordered,
    decision,
    figuresOf,
    remember: () => {
      if (leader !== undefined) deps.routingMemory.lead(corridorOf(decision.rule), leader)
      if (decision.isExploration) deps.routingMemory.explore(orgId, at)
    },
  }
}
