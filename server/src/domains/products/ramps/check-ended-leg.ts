import { isReversal } from '../../payments/lifecycle/rules.ts'
import { applyLegFact } from './apply-leg-fact.ts'
import { loadLegConnector } from './load-leg-connector.ts'
import type { Leg, LoadedRamp, RampDeps } from './record.ts'
import { inquireLeg } from './send-leg.ts'

/** Asks what has become of a leg that has ended, after a message contradicted its end. */
export async function checkEndedLeg(deps: RampDeps, loaded: LoadedRamp, leg: Leg): Promise<void> {
  const connector = await loadLegConnector(deps, loaded.payment.orgId, leg)
  const inquiry = connector && (await inquireLeg(deps, loaded, leg, connector))
  if (inquiry?.kind !== 'accepted') return
  const isContradiction =
    leg.state === 'succeeded' ? isReversal(inquiry.state) : inquiry.state.state === 'completed'
  if (isContradiction) await applyLegFact(deps, loaded, inquiry, { legNo: leg.legNo })
}
