import type { CompiledQuery } from 'kysely'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { StatusPatch } from '../../payments/lifecycle/change-status.ts'
import { isOpen, type Fact } from '../../payments/lifecycle/rules.ts'
import { effectOf, type Effect } from './build-effects.ts'
import { newLeg } from './prepare-leg.ts'
import { routeTaken, type Leg, type LoadedRamp, type Ramp, type RampDeps } from './record.ts'
import type { LegDecision, Situation } from './rules.ts'

export type LegFact = Fact & { received?: Money | undefined }

export interface LegChange {
  leg: Leg
  decision: LegDecision
  fact: LegFact | undefined
  evidence: {
    /** Set when the fact is the answer to a poll, which is counted. */
    poll?: { notFoundCount: number }
    /** Further rows of the same transaction, such as the inbox row of a webhook. */
    extraStatements?: CompiledQuery[]
  }
}

/** What a change of a leg writes. */
interface LegPlan {
  leg: Leg
  ramp: Ramp
  effect: Effect
  /** The first leg of the next route. */
  following: Leg | undefined
  isFirstAcceptance: boolean
  patch: NonNullable<StatusPatch['patch']>
}

/** How often a delivery or a refund is tried in total when it is refused for the moment. */
const triesLimit = 30

/** What the rules have to know about a leg. */
export const situationOf = (loaded: LoadedRamp, leg: Leg): Situation => ({
  kind: leg.kind,
  state: leg.state,
  phase: loaded.ramp.phase,
  hasNextRoute:
    leg.kind === 'delivery' || leg.kind === 'refund'
      ? loaded.legs.filter(({ kind }) => kind === leg.kind).length < triesLimit
      : untriedRoute(loaded) !== undefined,
  reachedCustomer: leg.reachedCustomer,
  expectedMinor: leg.amount.amountMinor,
  currency: leg.amount.currency,
  receivedMinor: loaded.ramp.receivedMinor,
})

const untriedRoute = ({ ramp, legs }: LoadedRamp) =>
  ramp.routes.find(
    ({ first }) => !legs.some((leg) => leg.configId === first.configId && leg.provider === first.provider),
  )

const acceptedStates: ReadonlySet<Leg['state']> = new Set(['accepted', 'succeeded', 'failed'])

/** Plans what a decision about a leg means for its ramp and its payment. */
export function planLeg(
  deps: Pick<RampDeps, 'clock' | 'sendDeadlineMs'>,
  loaded: LoadedRamp,
  change: LegChange,
): LegPlan {
  const now = deps.clock.now()
  const leg = legAfter(change, now)
  const effect = effectOf(loaded, leg, change.decision)
  const next = change.decision.step.kind === 'try_next' ? untriedRoute(loaded) : undefined
  const isFirst = leg.kind === 'collection' || leg.kind === 'whole'
  const following =
    next && isFirst
      ? newLeg(loaded, next.isWhole ? 'whole' : 'collection', next.first, { ...deps, now })
      : undefined
  const accepted = change.fact?.kind === 'accepted' && isOpen(change.leg.state) ? change.fact : undefined
  const provider = routeTaken(loaded)?.provider ?? leg.provider
  return {
    leg,
    ramp: { ...effect.ramp, expiresAt: expiryOf(effect.ramp, accepted?.nextAction) },
    effect,
    following,
    isFirstAcceptance: accepted !== undefined && !loaded.legs.some(({ state }) => acceptedStates.has(state)),
    patch: {
      ...effect.patch,
      ...((accepted || leg.state === 'unknown') && { provider }),
      ...(accepted && { providerStatus: accepted.providerStatus }),
      ...(accepted?.providerRef &&
        !isHiddenReference(leg, accepted.providerRef) && { providerPaymentId: accepted.providerRef }),
      ...(isFirst && accepted?.nextAction && effect.isOpen && { nextAction: accepted.nextAction }),
    },
  }
}

/** Some providers have no id but our reference, which only the operator sees at accounts of the installation. */
const isHiddenReference = ({ custody, reference }: Leg, providerRef: string): boolean =>
  custody === 'pooled' && providerRef === reference

/** The provider's own expiry replaces ours, whichever of its answers names it. */
function expiryOf({ phase, expiresAt }: Ramp, action: NextAction | undefined): Date {
  const expiresAtText =
    action?.type === 'bank_transfer' || action?.type === 'crypto_transfer'
      ? action.instructions.expires_at
      : undefined
  const isValid =
    phase === 'collecting' && expiresAtText !== undefined && !Number.isNaN(Date.parse(expiresAtText))
  return isValid ? new Date(expiresAtText) : expiresAt
}

function legAfter({ leg, decision, fact, evidence }: LegChange, now: Date): Leg {
  const accepted = fact?.kind === 'accepted' && isOpen(leg.state) ? fact : undefined
  const failure = fact?.kind === 'declined' ? fact.failure : failureIn(accepted)
  const reason = fact?.kind === 'unknown' || fact?.kind === 'not_sent' ? fact.reason : undefined
  return {
    ...leg,
    state: decision.state,
    providerRef: accepted?.providerRef ?? leg.providerRef,
    providerStatus: accepted?.providerStatus ?? leg.providerStatus,
    outcomeCode: failure?.code ?? (reason === undefined ? leg.outcomeCode : (fact?.kind ?? null)),
    outcomeMessage: failure?.message ?? reason ?? leg.outcomeMessage,
    reachedCustomer: leg.reachedCustomer || involvesCustomer(accepted?.nextAction),
    polls: leg.polls + (evidence.poll ? 1 : 0),
    notFoundCount: evidence.poll?.notFoundCount ?? leg.notFoundCount,
    updatedAt: now,
  }
}

const failureIn = (fact: Extract<LegFact, { kind: 'accepted' }> | undefined) =>
  fact?.state.state === 'failed' ? fact.state.failure : undefined

const involvesCustomer = (action: NextAction | undefined): boolean =>
  action !== undefined && action.type !== 'check_status'
