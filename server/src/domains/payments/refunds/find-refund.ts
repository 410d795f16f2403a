import type { Database } from '../../../db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import { findRefundByReferenceAcrossOrgs, type Refund } from './store.ts'

export const findRefundByReference = async (
  deps: { db: Database },
  reference: string,
): Promise<Refund | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findRefundByReferenceAcrossOrgs(tx, reference)) : undefined

export type FoundRefund = Refund
