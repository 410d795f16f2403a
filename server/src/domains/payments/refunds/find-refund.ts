import type { Database } from '../../../db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Refund } from './record.ts'
import { findRefundByReferenceAcrossOrgs } from './store.ts'

export const findRefundByReference = async (
  deps: { db: Database },
  reference: string,
): Promise<Refund | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findRefundByReferenceAcrossOrgs(tx, reference)) : undefined
