import type { CompiledQuery } from 'kysely'
import type { NextAction } from '../../connectors/kit/connector.ts'
import { failureOf } from '../../connectors/kit/failures.ts'
import { isStale, isUniqueViolation } from '../../db/errors.ts'
import { insertTransfers } from '../../ledger/transfers.ts'
import type { Money } from '../../lib/money.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { changeStatus } from '../payments/change-status.ts'
import { isOpen, type Fact } from '../payments/rules.ts'
import { loadRamp } from './get-ramp.ts'
import { routeTaken, type Leg, type LoadedRamp, type Ramp } from './record.ts'
import { newLeg } from './prepare-leg.ts'
import { effectOf, type Effect } from './build-effects.ts'
import type { RampDeps } from './ramp-deps.ts'
import { decideLeg, type LegDecision } from './rules.ts'
import { insertLeg, updateLeg, updateRamp } from './store.ts'
import { superviseRampNow } from './schedule-supervision.ts'

export type LegFact = Fact & { received?: Money | undefined }

export interface LegEvidence {
  legNo: number
  /** A look brought it: counted. */
  look?: { notFoundCount: number }
  /** Further rows of the same transaction, such as the inbox row of a webhook. */
  extraStatements?: CompiledQuery[]
}

/** The ramp afterwards, and the leg that this very call wrote for the next route: only its writer sends it. */
export interface AppliedRamp extends LoadedRamp {
  following?: Leg | undefined
}

const staleRetries = 10
/** How often a settlement or a refund that was refused for the moment is tried in all. */
const triesLimit = 30

/** Writes what a fact about a leg means: status, leg, ledger, events, exception, all or nothing. */
export async function applyLegFact(
  deps: RampDeps,
  loaded: LoadedRamp,
  fact: LegFact | undefined,
  evidence: LegEvidence,
): Promise<AppliedRamp> {
  const write = (taken: LegFact | undefined) =>
    retried(deps, loaded, (current) => {
      const leg = legOf(current, evidence.legNo)
      const decision: LegDecision = taken
        ? decideLeg(situationOf(current, leg), taken)
        : { state: leg.state, step: { kind: 'stay' }, receivedMinor: current.ramp.receivedMinor }
      return writeDecision(deps, current, { leg, decision, fact: taken, evidence })
    })
  try {
    return await write(fact)
  } catch (error) {
    if (!isUniqueViolation(error, 'ramp_legs_one_per_address')) throw error
    return write({ kind: 'declined', failure: failureOf('PROVIDER_UNAVAILABLE'), fallback: true })
  }
}

/** Whoever finds a newer version reads again and decides again. */
export async function retried<Result>(
  deps: RampDeps,
  loaded: LoadedRamp,
  write: (current: LoadedRamp) => Promise<Result>,
): Promise<Result> {
  let current = loaded
  for (let retry = 0; retry < staleRetries; retry++) {
    try {
      return await write(current)
    } catch (error) {
      if (!isStale(error)) throw error
      current = await loadRamp(deps, loaded.payment.orgId, loaded.payment.paymentId)
    }
  }
  throw new Error('a ramp kept changing while something was written to it')
}

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
    leg.kind === 'settlement' || leg.kind === 'refund'
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

const wasTaken: ReadonlySet<Leg['state']> = new Set(['accepted', 'succeeded', 'failed'])

export interface Change {
  leg: Leg
  decision: LegDecision
  fact: LegFact | undefined
  evidence: Pick<LegEvidence, 'look' | 'extraStatements'>
}

export async function writeDecision(
  deps: RampDeps,
  loaded: LoadedRamp,
  change: Change,
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
      firstAcceptance: accepted !== undefined && !loaded.legs.some(({ state }) => wasTaken.has(state)),
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

/** Where the provider sets an earlier or a later end, it counts, whichever of its answers says so. */
function expiryOf({ phase, expiresAt }: Ramp, action: NextAction | undefined): Date {
  const told =
    action?.type === 'bank_transfer' || action?.type === 'crypto_transfer'
      ? action.instructions.expires_at
      : undefined
  const isToldInTime = phase === 'collecting' && told !== undefined && !Number.isNaN(Date.parse(told))
  return isToldInTime ? new Date(told) : expiresAt
}

function effectStatements({ payment, ramp }: LoadedRamp, effect: Effect): CompiledQuery[] {
  const { orgId } = payment
  const goesOn = effect.ramp.phase !== ramp.phase && ['settling', 'refunding'].includes(effect.ramp.phase)
  return [
    ...(effect.postings.length > 0 ? [insertTransfers(orgId, effect.postings)] : []),
    ...effect.exceptions.map((exception) => insertException(orgId, exception)),
    ...(goesOn ? [superviseRampNow(payment)] : []),
  ]
}

function legAfter({ leg, decision, fact, evidence }: Change, now: Date): Leg {
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
    reachedCustomer: leg.reachedCustomer || isForCustomer(accepted?.nextAction),
    looks: leg.looks + (evidence.look ? 1 : 0),
    notFoundCount: evidence.look?.notFoundCount ?? leg.notFoundCount,
    updatedAt: now,
  }
}

const failureIn = (fact: Extract<LegFact, { kind: 'accepted' }> | undefined) =>
  fact?.state.state === 'failed' ? fact.state.failure : undefined

const isForCustomer = (action: NextAction | undefined): boolean =>
  action !== undefined && action.type !== 'check_status'
