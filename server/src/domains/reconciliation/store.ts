import type { Tx } from '../../db/database.ts'
import type { AttemptState } from '../payments/rules.ts'

export interface OwnAttempt {
  orgId: string
  paymentId: string
  reference: string
  state: AttemptState
  status: string
  direction: string
  amountMinor: bigint
  currency: string
}

const toOwn = (row: {
  org_id: string
  payment_id: string
  reference: string
  state: string
  status: string
  direction: string
  amount_minor: string
  currency: string
  target_amount_minor: string
  target_currency: string
}): OwnAttempt => {
  const isOutbound = row.direction === 'outbound'
  return {
    orgId: row.org_id,
    paymentId: row.payment_id,
    reference: row.reference,
    state: row.state as AttemptState, // the table's check constraint is this list
    status: row.status,
    direction: row.direction,
    amountMinor: BigInt(isOutbound ? row.target_amount_minor : row.amount_minor),
    currency: isOutbound ? row.target_currency : row.currency,
  }
}

const joined = (tx: Tx) =>
  tx.db
    .selectFrom('attempts')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.org_id', '=', 'attempts.org_id')
        .onRef('payments.payment_id', '=', 'attempts.payment_id'),
    )
    .select([
      'attempts.org_id',
      'attempts.payment_id',
      'attempts.reference',
      'attempts.state',
      'payments.status',
      'payments.direction',
      'payments.amount_minor',
      'payments.currency',
      'payments.target_amount_minor',
      'payments.target_currency',
    ])

/** Installation-wide accounts carry payments of many organisations, so the references decide, not the org. */
export async function selectAttemptsByReferenceAcrossOrgs(
  tx: Tx,
  references: readonly string[],
): Promise<OwnAttempt[]> {
  if (references.length === 0) return []
  const rows = await joined(tx).where('attempts.reference', 'in', references).execute()
  return rows.map(toOwn)
}

export async function selectTakenAttempts(
  tx: Tx,
  orgId: string,
  window: { provider: string; since: Date; until: Date; limit: number },
): Promise<OwnAttempt[]> {
  const rows = await joined(tx)
    .where('attempts.org_id', '=', orgId)
    .where('attempts.provider', '=', window.provider)
    .where('attempts.created_at', '>=', window.since)
    .where('attempts.created_at', '<', window.until)
    .where('attempts.state', 'in', ['accepted', 'succeeded'])
    .limit(window.limit)
    .execute()
  return rows.map(toOwn)
}

export const selectReconcilableAcrossOrgs = (
  tx: Tx,
  since: Date,
): Promise<{ orgId: string; provider: string }[]> =>
  tx.db
    .selectFrom('attempts')
    .select(['org_id as orgId', 'provider'])
    .distinct()
    .where('created_at', '>=', since)
    .execute()
