import type { RefundedPayment } from '../../../connectors/kit/refunds.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { FoundAttempt } from './record.ts'
import {
  type UnknownAttempts,
  countUnknownAcrossOrgs,
  findAttemptByProviderRefAcrossOrgs,
  findAttemptByReferenceAcrossOrgs,
} from './store.ts'

/** Finds an attempt of any organisation by the reference that we gave the provider. */
export const findAttempt = async (
  deps: { db: Database },
  reference: string,
): Promise<FoundAttempt | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findAttemptByReferenceAcrossOrgs(tx, reference)) : undefined

/** The attempt of a refund that the provider reports, by our reference or by the provider's id of the payment. */
export async function findRefundedAttempt(
  deps: { db: Database },
  accountId: string,
  { reference, providerRef }: RefundedPayment,
): Promise<FoundAttempt | undefined> {
  const named = reference === null ? undefined : await findAttempt(deps, reference)
  if (named || providerRef === null) return named
  return findAttemptByProviderRef(deps, accountId, providerRef)
}

/** Finds an attempt by the provider's own id, which is unique only within an account. */
export const findAttemptByProviderRef = (
  deps: { db: Database },
  accountId: string,
  providerRef: string,
): Promise<(FoundAttempt & { reference: string }) | undefined> =>
  deps.db.acrossOrgs((tx) => findAttemptByProviderRefAcrossOrgs(tx, accountId, providerRef))

/** Attempts of all organisations whose outcome is unknown, by provider. */
export const countUnknown = (deps: { db: Database }): Promise<UnknownAttempts[]> =>
  deps.db.acrossOrgs(countUnknownAcrossOrgs)
