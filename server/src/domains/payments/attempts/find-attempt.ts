import type { Database } from '../../../db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { FoundAttempt } from './record.ts'
import { findAttemptByReferenceAcrossOrgs } from './store.ts'

/** Finds an attempt of any organisation by the reference that we gave the provider. */
export const findAttempt = async (
  deps: { db: Database },
  reference: string,
): Promise<FoundAttempt | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findAttemptByReferenceAcrossOrgs(tx, reference)) : undefined
