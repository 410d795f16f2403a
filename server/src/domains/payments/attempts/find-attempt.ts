import type { Database } from '../../../db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import { findAttemptByReferenceAcrossOrgs } from '../store.ts'

export interface FoundAttempt {
  orgId: string
  paymentId: string
  attemptNo: number
}

/** By the reference that we gave the provider, whoever it belongs to. */
export const findAttempt = async (
  deps: { db: Database },
  reference: string,
): Promise<FoundAttempt | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findAttemptByReferenceAcrossOrgs(tx, reference)) : undefined
