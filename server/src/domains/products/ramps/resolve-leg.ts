import { joinTransaction, timeIn } from '../../../kernel/db/database.ts'
import { conflict, notFound } from '../../../lib/errors.ts'
import type { LegResolver } from '../../payments/resolutions/record.ts'
import { applyLegFact } from './apply-leg-fact.ts'
import { loadRamp } from './get-ramp.ts'
import { openLeg, type RampDeps } from './record.ts'
import { isLegInDoubt } from './rules.ts'
import { findRamp, setLegResolution } from './store.ts'

/** Two people decide about a leg that its provider does not report on. The ramp then continues as usual. */
export const createLegResolver = (deps: RampDeps): LegResolver => ({
  async find(tx, orgId, paymentId) {
    const found = await findRamp(tx, orgId, paymentId)
    if (!found) throw notFound('The ramp')
    const leg = openLeg(found)
    const at = { pollSchedule: deps.pollSchedule, now: await timeIn(tx) }
    if (!leg || found.ramp.phase === 'watching' || !isLegInDoubt(leg, at))
      throw conflict('No leg of the ramp is in doubt, so its providers decide.')
    if (leg.accountId === null)
      throw conflict('The leg is carried by the wallet of the operator: the chain decides, and is polled.')
    return { legNo: leg.legNo, custody: leg.custody, provider: leg.provider }
  },
  async apply(tx, { orgId, paymentId, legNo }, { resolutionId, fact }) {
    const joined = { ...deps, db: joinTransaction(deps.db, tx) }
    const loaded = await loadRamp(joined, orgId, paymentId)
    const providerRef = openLeg(loaded)?.providerRef ?? null
    await applyLegFact(joined, loaded, fact(providerRef), {
      legNo,
      extraStatements: [setLegResolution(orgId, { paymentId, legNo }, resolutionId)],
    })
  },
})
