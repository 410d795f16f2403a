import type { Database } from '../../../kernel/db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import type { Refund } from './record.ts'
import { findRefundByProviderRefAcrossOrgs, findRefundByReferenceAcrossOrgs } from './store.ts'

export const findRefundByReference = async (
  deps: { db: Database },
  reference: string,
): Promise<Refund | undefined> =>
  isUuid(reference) ? deps.db.acrossOrgs((tx) => findRefundByReferenceAcrossOrgs(tx, reference)) : undefined

export const findRefundByProviderRef = (
  deps: { db: Database },
  accountId: string,
  providerRef: string,
): Promise<Refund | undefined> =>
  deps.db.acrossOrgs((tx) => findRefundByProviderRefAcrossOrgs(tx, accountId, providerRef))
