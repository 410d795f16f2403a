import type { Database } from '../../../kernel/db/database.ts'
import type { Payment } from '../record.ts'
import { selectVersionsAcrossOrgs } from '../store.ts'

/** The versions of many payments by their ids, in one statement. Each change of a payment raises its version. */
export async function readPaymentVersions(
  db: Database,
  payments: readonly Pick<Payment, 'orgId' | 'paymentId'>[],
): Promise<Map<string, number>> {
  if (payments.length === 0) return new Map()
  const rows = await selectVersionsAcrossOrgs(db.readAcrossOrgs, payments)
  return new Map(rows.map(({ paymentId, version }) => [paymentId, version]))
}
