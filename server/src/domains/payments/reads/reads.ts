import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Status } from '../lifecycle/rules.ts'
import { findOpenPaymentTo, findPaymentSentTo, selectStatuses, selectVersionsAcrossOrgs } from '../store.ts'
import type { Payment } from '../record.ts'

/** The statuses of those payments that exist, by id, as the caller's transaction sees them. */
export async function listPaymentStatuses(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<Map<string, Status>> {
  if (paymentIds.length === 0) return new Map()
  const rows = await selectStatuses(tx, orgId, paymentIds)
  return new Map(rows.map(({ paymentId, status }) => [paymentId, status]))
}

/** The versions of many payments by their ids, in one statement. Each change of a payment raises its version. */
export async function readPaymentVersions(
  db: Database,
  payments: readonly Pick<Payment, 'orgId' | 'paymentId'>[],
): Promise<Map<string, number>> {
  if (payments.length === 0) return new Map()
  const rows = await selectVersionsAcrossOrgs(db.readAcrossOrgs, payments)
  return new Map(rows.map(({ paymentId, version }) => [paymentId, version]))
}

/** Whether a payment to the beneficiary has not ended yet, as the caller's transaction sees it. */
export const hasOpenPaymentTo = async (tx: Tx, orgId: string, beneficiaryId: string): Promise<boolean> =>
  (await findOpenPaymentTo(tx, orgId, beneficiaryId)) !== undefined

/** Whether the beneficiary has been paid before, or is being paid. */
export const hasPaidTo = async (tx: Tx, orgId: string, beneficiaryId: string): Promise<boolean> =>
  (await findPaymentSentTo(tx, orgId, beneficiaryId)) !== undefined
