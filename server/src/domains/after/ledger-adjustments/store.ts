import type { CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Adjustment } from './record.ts'

export const insertAdjustment = (orgId: string, adjustment: Omit<Adjustment, 'orgId'>): CompiledQuery =>
  statements
    .insertInto('ledger_adjustments')
    .values({
      org_id: orgId,
      adjustment_id: adjustment.adjustmentId,
      debit_account: adjustment.debit,
      credit_account: adjustment.credit,
      currency: adjustment.currency,
      amount_minor: adjustment.amountMinor.toString(),
      reason: adjustment.reason,
      payment_id: adjustment.paymentId,
      proposed_by: adjustment.proposedBy,
      approved_by: adjustment.approvedBy,
      created_at: adjustment.createdAt,
    })
    .compile()

export async function selectAdjustments(
  tx: Tx,
  orgId: string,
  page: { paymentId: string | undefined; limit: number; before: Position | undefined },
): Promise<Adjustment[]> {
  let query = tx.db
    .selectFrom('ledger_adjustments')
    .select([
      'org_id as orgId',
      'adjustment_id as adjustmentId',
      'debit_account as debit',
      'credit_account as credit',
      'currency',
      'amount_minor',
      'reason',
      'payment_id as paymentId',
      'proposed_by as proposedBy',
      'approved_by as approvedBy',
      'created_at as createdAt',
    ])
    .where('org_id', '=', orgId)
  if (page.paymentId !== undefined) query = query.where('payment_id', '=', page.paymentId)
  if (page.before) query = query.where(beforePosition('created_at', 'adjustment_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('adjustment_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(({ amount_minor, ...row }) => ({ ...row, amountMinor: BigInt(amount_minor) }))
}
