import type { Database } from '../../../kernel/db/database.ts'
import { loadRamp } from './get-ramp.ts'
import type { LoadedRamp } from './record.ts'

/** A ramp as a repeated request sees it: while its leg is being sent, its outcome is in doubt. */
export async function loadBegunRamp(
  deps: { db: Database },
  orgId: string,
  paymentId: string,
): Promise<LoadedRamp> {
  const loaded = await loadRamp(deps, orgId, paymentId)
  return loaded.legs.at(-1)?.state === 'sending' && loaded.ramp.phase === 'collecting'
    ? rampInDoubt(loaded)
    : loaded
}

/** How a caller sees a ramp whose collection may have been started: it is processing, and can only be polled. */
export const rampInDoubt = ({ payment, ramp, legs }: LoadedRamp): LoadedRamp => ({
  payment: { ...payment, status: 'processing', nextAction: null },
  ramp,
  legs: legs.map((leg) => (leg.state === 'sending' ? { ...leg, state: 'unknown' } : leg)),
})

/** The response can be replayed, because it contains more than that the outcome has to be polled. */
export const hasKnownLeg = ({ legs }: LoadedRamp): boolean => legs.at(-1)?.state !== 'unknown'
