import type { Clock } from '../../../lib/clock.ts'
import { isSanctioned, isStaleVersion, suspendedIn } from '../../../kernel/db/errors.ts'
import { changeStatus } from '../../payments/lifecycle/change-status.ts'
import { screenPaymentAgain } from '../../payments/reads/list-subjects.ts'
import { applyLegFact, type AppliedRamp } from './apply-leg-fact.ts'
import { newLeg } from './prepare-leg.ts'
import type { Leg, LoadedRamp, Ramp, RampDeps } from './record.ts'
import { sendLeg } from './send-leg.ts'
import { insertLeg } from './store.ts'

const routesLimit = 20

export function firstLegOf(ramp: Ramp, at: { now: Date; sendDeadlineMs: number; clock: Clock }): Leg {
  const [route] = ramp.routes
  if (!route) throw new Error('a ramp without a route')
  return newLeg({ ramp, legs: [] }, route.isWhole ? 'whole' : 'collection', route.first, at)
}

/** Sends the first leg, and after each definite refusal that of the next route, until one is accepted or unknown. */
export async function sendFirst(deps: RampDeps, written: AppliedRamp): Promise<LoadedRamp> {
  let current = written
  for (let sent = 0; sent < routesLimit && current.following; sent++) {
    const leg = current.following
    const outcome = await sendLeg(deps, current, leg)
    current = await applyLegFact(deps, current, outcome, { legNo: leg.legNo })
  }
  return current
}

/** Writes and then sends the first leg of a ramp that was approved. */
export async function startCollection(
  deps: RampDeps,
  loaded: LoadedRamp,
): Promise<LoadedRamp | 'stale' | 'suspended' | 'sanctioned'> {
  const { payment, ramp } = loaded
  const leg = firstLegOf(ramp, { ...deps, now: await deps.db.now() })
  try {
    await screenPaymentAgain(deps, payment)
    const { payment: written } = await changeStatus(
      deps,
      { payment, attempts: [] },
      { status: payment.status, extraStatements: [insertLeg(payment.orgId, payment.paymentId, leg)] },
    )
    return await sendFirst(deps, { payment: written, ramp, legs: [leg], following: leg })
  } catch (error) {
    if (isStaleVersion(error)) return 'stale'
    if (isSanctioned(error)) return 'sanctioned'
    if (suspendedIn(error)) return 'suspended'
    throw error
  }
}
