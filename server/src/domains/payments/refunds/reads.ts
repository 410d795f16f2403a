import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import { isUuid } from '../../../lib/ids.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import type { Refund, RefundFilters } from './record.ts'
import {
  findRefundByProviderRefAcrossOrgs,
  findRefundByReferenceAcrossOrgs,
  selectRefundPage,
  selectRefunds,
} from './store.ts'

/** The refunds of one payment, oldest first. */
export async function listRefunds(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<Refund[]> {
  await loadPayment(deps, caller.orgId, input.paymentId)
  return deps.db.inOrg(caller.orgId, (tx) => selectRefunds(tx, caller.orgId, input.paymentId))
}

/** The refunds of all payments, newest first. */
export function listAllRefunds(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { filters: RefundFilters; page: PageRequest },
): Promise<Page<Refund>> {
  const { orgId } = caller
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'refunds', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectRefundPage(tx, orgId, { filters, limit, before })),
    positionOf: ({ createdAt, refundId }) => ({ createdAt, id: refundId }),
  })
}

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
