import type { CompiledQuery } from 'kysely'
import { failureOf } from '../../../connectors/kit/failures.ts'
import { isUniqueViolation, suspendedIn } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { changeStatus } from '../../payments/lifecycle/change-status.ts'
import { loadRamp } from './get-ramp.ts'
import type { Effect } from './build-effects.ts'
import { planLeg, situationOf, type LegChange, type LegFact } from './plan-leg.ts'
import type { Leg, LoadedRamp, RampDeps } from './record.ts'
import { decideLeg, type LegDecision } from './rules.ts'
import { insertLeg, updateLeg, updateRamp } from './store.ts'
import { superviseRampNow } from './schedule-supervision.ts'

type LegEvidence = LegChange['evidence'] & { legNo: number }

/** The ramp afterwards, and the leg that this call wrote for the next route. Only its writer may send it. */
export interface AppliedRamp extends LoadedRamp {
  following?: Leg | undefined
}

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

export async function writeDecision(
  deps: RampDeps,
  loaded: LoadedRamp,
  change: LegChange,
): Promise<AppliedRamp> {
  const { orgId, paymentId } = loaded.payment
  const { leg, ramp, effect, following, isFirstAcceptance, patch } = planLeg(deps, loaded, change)
  const { payment } = await changeStatus(
    deps,
    { payment: loaded.payment, attempts: [] },
    {
      status: effect.status,
      isFirstAcceptance,
      patch,
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
