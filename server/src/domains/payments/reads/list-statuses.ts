import type { Tx } from '../../../kernel/db/database.ts'
import type { Status } from '../lifecycle/rules.ts'
import { selectStatuses } from '../store.ts'

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
