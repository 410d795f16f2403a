import type { CompiledQuery } from 'kysely'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import { failureOf } from '../../../connectors/kit/failures.ts'
import { isUniqueViolation, suspendedIn } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import type { Money } from '../../../lib/money/money.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { changeStatus } from '../../payments/lifecycle/change-status.ts'
import { isOpen, type Fact } from '../../payments/lifecycle/rules.ts'
import { loadRamp } from './get-ramp.ts'
import { routeTaken, type Leg, type LoadedRamp, type Ramp } from './record.ts'
import { newLeg } from './prepare-leg.ts'
import { effectOf, type Effect } from './build-effects.ts'
import type { RampDeps } from './record.ts'
import { decideLeg, type LegDecision } from './rules.ts'
import { insertLeg, updateLeg, updateRamp } from './store.ts'
import { superviseRampNow } from './schedule-supervision.ts'

export type LegFact = Fact & { received?: Money | undefined }

interface LegEvidence {
  legNo: number
  /** Set when the fact is the answer to a poll, which is counted. */
  poll?: { notFoundCount: number }
  /** Further rows of the same transaction, such as the inbox row of a webhook. */
  extraStatements?: CompiledQuery[]
}

/** The ramp afterwards, and the leg that this call wrote for the next route. Only its writer may send it. */
export interface AppliedRamp extends LoadedRamp {
  following?: Leg | undefined
}

/** How often a delivery or a refund is tried in total when it is refused for the moment. */
const triesLimit = 30

/** Writes what a fact about a leg means in one transaction: status, leg, ledger, events, exception. */
export async function applyLegFact(
  deps: RampDeps,
  loaded: LoadedRamp,
  fact: LegFact | undefined,
  evidence: LegEvidence,
): Promise<AppliedRamp> {
  const write = (taken: LegFact | undefined) =>
    retryWhenStale(deps, loaded, (current) => {
      const leg = legOf(current, evidence.legNo)
      const decision: LegDecision = taken
        ? decideLeg(situationOf(current, leg), taken)
        : { state: leg.state, step: { kind: 'unchanged' }, receivedMinor: current.ramp.receivedMinor }
      return writeDecision(deps, current, { leg, decision, fact: taken, evidence })
    })
  try {
    return await write(fact)
  } catch (error) {
    // Nothing was collected, and no other provider may be tried during a suspension, so the refusal is final.
    if (suspendedIn(error)) return write(withoutFallback(fact))
    if (!isUniqueViolation(error, 'ramp_legs_one_per_address')) throw error
    return write({ kind: 'declined', failure: failureOf('PROVIDER_UNAVAILABLE'), fallback: true })
  }
}

const withoutFallback = (fact: LegFact | undefined): LegFact => ({
  kind: 'declined',
  failure: fact?.kind === 'declined' ? fact.failure : failureOf('PROVIDER_UNAVAILABLE'),
  fallback: false,
})

/** Reloads the ramp and decides again when another process has changed it. */
export const retryWhenStale = <Result>(
  deps: RampDeps,
  loaded: LoadedRamp,
  write: (current: LoadedRamp) => Promise<Result>,
): Promise<Result> =>
  retryOnConflict('the ramp', async (retry) =>
    write(retry === 0 ? loaded : await loadRamp(deps, loaded.payment.orgId, loaded.payment.paymentId)),
  )

function legOf({ legs }: LoadedRamp, legNo: number): Leg {
  const leg = legs.find((candidate) => candidate.legNo === legNo)
  if (!leg) throw new Error('the leg does not belong to the ramp')
  return leg
}

const situationOf = (loaded: LoadedRamp, leg: Leg) => ({
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

interface LegChange {
  leg: Leg
  decision: LegDecision
  fact: LegFact | undefined
  evidence: Pick<LegEvidence, 'poll' | 'extraStatements'>
}

export async function writeDecision(
  deps: RampDeps,
  loaded: LoadedRamp,
  change: LegChange,
): Promise<AppliedRamp> {
  const { orgId, paymentId } = loaded.payment
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
  const ramp = { ...effect.ramp, expiresAt: expiryOf(effect.ramp, accepted?.nextAction) }
  const { payment } = await changeStatus(
    deps,
    { payment: loaded.payment, attempts: [] },
    {
      status: effect.status,
      isFirstAcceptance:
        accepted !== undefined && !loaded.legs.some(({ state }) => acceptedStates.has(state)),
      patch: {
        ...effect.patch,
        ...((accepted || leg.state === 'unknown') && { provider }),
        ...(accepted && { providerStatus: accepted.providerStatus }),
        ...(accepted?.providerRef && { providerPaymentId: accepted.providerRef }),
        ...(isFirst && accepted?.nextAction && effect.isOpen && { nextAction: accepted.nextAction }),
      },
      extraStatements: [
        updateLeg(orgId, paymentId, leg),
        updateRamp(orgId, paymentId, ramp),
        ...(following ? [insertLeg(orgId, paymentId, following)] : []),
        ...effectStatements(loaded, effect),
        ...(change.evidence.extraStatements ?? []),
      ],
    },
  )
  const legs = loaded.legs.map((other) => (other.legNo === leg.legNo ? leg : other))
  return { payment, ramp, legs: following ? [...legs, following] : legs, following }
}

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

function effectStatements({ payment, ramp }: LoadedRamp, effect: Effect): CompiledQuery[] {
  const { orgId } = payment
  const startsNextLeg =
    effect.ramp.phase !== ramp.phase && ['delivering', 'refunding'].includes(effect.ramp.phase)
  return [
    ...(effect.postings.length > 0 ? [insertTransfers(orgId, effect.postings)] : []),
    ...effect.exceptions.map((exception) => insertException(orgId, exception)),
    ...(startsNextLeg ? [superviseRampNow(payment)] : []),
  ]
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
