import type { Database } from '../../../db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { FoundAttempt } from './record.ts'
import { findAttemptByProviderRefAcrossOrgs, findAttemptByReferenceAcrossOrgs } from './store.ts'

/** Finds an attempt of any organisation by the reference that we gave the provider. */
export const findAttempt = async (
  deps: { db: Database },
  reference: string,
): Promise<FoundAttempt | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findAttemptByReferenceAcrossOrgs(tx, reference)) : undefined

/** Finds an attempt by the provider's own id, which is unique only within an account. */
export const findAttemptByProviderRef = (
  deps: { db: Database },
  accountId: string,
  providerRef: string,
): Promise<(FoundAttempt & { reference: string }) | undefined> =>
  deps.db.acrossOrgs((tx) => findAttemptByProviderRefAcrossOrgs(tx, accountId, providerRef))
