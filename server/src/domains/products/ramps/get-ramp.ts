import { notFound } from '../../../lib/errors.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import type { FoundLeg, LoadedRamp } from './record.ts'
import { findLegByProviderRefAcrossOrgs, findLegByReferenceAcrossOrgs, findRamp } from './store.ts'

export async function loadRamp(
  deps: { db: Database },
  orgId: string,
  paymentId: string,
): Promise<LoadedRamp> {
  // Writes are fenced by the payment's version, so it is read first: the rest is then at least as recent.
  const { payment } = await loadPayment(deps, orgId, paymentId)
  const found = await deps.db.inOrg(orgId, (tx) => findRamp(tx, orgId, paymentId))
  if (!found) throw notFound('The ramp')
  return { payment, ...found }
}

/** Finds a leg of any organisation by the reference that we gave the provider. */
export const findLeg = async (deps: { db: Database }, reference: string): Promise<FoundLeg | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findLegByReferenceAcrossOrgs(tx, reference)) : undefined

/** Finds a leg of any organisation by the provider's own id. The account's own leg comes before those of others. */
export const findLegByProviderRef = (
  deps: { db: Database },
  account: { provider: string; accountId: string },
  providerRef: string,
): Promise<FoundLeg | undefined> =>
  deps.db.acrossOrgs((tx) => findLegByProviderRefAcrossOrgs(tx, account, providerRef))
