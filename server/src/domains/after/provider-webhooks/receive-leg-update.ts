import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import { isOpen } from '../../payments/lifecycle/rules.ts'
import { advanceRamp } from '../../products/ramps/advance-ramp.ts'
import { applyLegFact } from '../../products/ramps/apply-leg-fact.ts'
import { checkEndedLeg } from '../../products/ramps/check-ended-leg.ts'
import { loadRamp } from '../../products/ramps/get-ramp.ts'
import type { FoundLeg } from '../../products/ramps/record.ts'
import type { Delivery, WebhookDeps } from './record.ts'
import { notAppliedBecause, factOf, inboxRow, namesAmount } from './rules.ts'
import { insertInboxRow } from './store.ts'

/** Ramps handle under- and overpayment themselves, so the amount is not compared here. */
export async function receiveForLeg(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  found: FoundLeg,
): Promise<void> {
  const { orgId, paymentId, legNo } = found
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict !== 'verified' || !namesAmount(update)) {
    await deps.db.batchInOrg(orgId, [inbox(notAppliedBecause(delivery.verdict))])
    if (delivery.verdict !== 'forged') await inquireLegs(deps, found)
    return
  }
  const loaded = await loadRamp(deps, orgId, paymentId)
  await applyLegFact(deps, loaded, factOf(update), {
    legNo,
    extraStatements: [inbox(`taken as ${update.state.state}`)],
  })
}

/** Asks about the open leg, and about the reported one if that has ended. */
async function inquireLegs(deps: WebhookDeps, { orgId, paymentId, legNo }: FoundLeg): Promise<void> {
  const { loaded } = await advanceRamp(deps, { orgId, paymentId, isScheduled: false })
  const leg = loaded.legs.find((one) => one.legNo === legNo)
  if (leg && !isOpen(leg.state)) await checkEndedLeg(deps, loaded, leg)
}

/** A webhook with the provider's own id may report only a part of an open leg, so the provider is asked for the total. */
export async function receiveForLegByProviderRef(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  found: FoundLeg,
): Promise<void> {
  const { orgId, paymentId, legNo } = found
  const { legs } = await loadRamp(deps, orgId, paymentId)
  const isAsked = legs.some(
    (leg) =>
      leg.legNo === legNo && (isOpen(leg.state) || (leg.kind === 'collection' && leg.state === 'succeeded')),
  )
  if (!isAsked || delivery.verdict === 'forged') return receiveForLeg(deps, delivery, update, found)
  const row = inboxRow(delivery, update, { paymentId, result: 'the provider is asked' })
  await deps.db.batchInOrg(orgId, [insertInboxRow(orgId, row)])
  await advanceRamp(deps, { orgId, paymentId, isScheduled: false })
}
