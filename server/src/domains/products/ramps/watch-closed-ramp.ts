import { loadLegConnector } from './load-leg-connector.ts'
import { applyLegFact } from './apply-leg-fact.ts'
import type { Leg, LoadedRamp, RampDeps } from './record.ts'
import { inquireLeg } from './send-leg.ts'

const minute = 60_000
/** How long an address is watched after its ramp has ended. */
export const lateWindowMs = 7 * 24 * 60 * minute
const watchPollMs = 30 * minute

/** An address stays valid after its ramp has ended, and the customer may send to it again. */
const watchedLeg = ({ legs }: LoadedRamp): Leg | undefined =>
  legs.find(
    ({ kind, method, state }) => kind === 'collection' && method === 'crypto' && state === 'succeeded',
  )

/** Undefined once the address is not watched any more. */
export function nextWatchMs(loaded: LoadedRamp, now: Date): number | undefined {
  const untilMs = loaded.ramp.expiresAt.getTime() + lateWindowMs
  return watchedLeg(loaded) && now.getTime() < untilMs ? watchPollMs : undefined
}

/** Asks how much the address has received in total; what exceeds the known total moves to suspense, once. */
export async function watchClosedRamp(deps: RampDeps, loaded: LoadedRamp): Promise<LoadedRamp> {
  const leg = watchedLeg(loaded)
  const connector = leg && (await loadLegConnector(deps, loaded.payment.orgId, leg))
  if (!leg || !connector) return loaded
  const inquiry = await inquireLeg(deps, loaded, leg, connector)
  const isMore =
    inquiry.kind === 'accepted' && (inquiry.received?.amountMinor ?? 0n) > loaded.ramp.receivedMinor
  return isMore ? applyLegFact(deps, loaded, inquiry, { legNo: leg.legNo }) : loaded
}
