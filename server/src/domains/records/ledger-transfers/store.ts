import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { account, type Transfer } from '../../../kernel/ledger/transfers.ts'
import type { StoredTransfer, TransferFilters } from './record.ts'
import { accountPatterns } from './rules.ts'

/** Where a page ended: a transfer is identified by its cause and kind. */
interface TransferPosition {
  createdAt: Date
  causeId: string
  kind: string
}

/** Newest first. */
export async function selectTransfers(
  tx: Tx,
  orgId: string,
  page: { filters: TransferFilters; limit: number; before: TransferPosition | undefined },
): Promise<StoredTransfer[]> {
  const { filters, before } = page
  let query = tx.db
    .selectFrom('ledger_transfers')
    .select([
      'org_id',
      'cause_id',
      'kind',
      'phase',
      'debit_account',
      'credit_account',
      'currency',
      'amount_minor',
      'created_at',
    ])
    .where('org_id', '=', orgId)
  for (const condition of conditionsOf(orgId, filters)) query = query.where(condition)
  if (before)
    query = query.where(
      sql<boolean>`(created_at, cause_id, kind) < (${before.createdAt}, ${before.causeId}::uuid, ${before.kind}::text)`,
    )
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('cause_id', 'desc')
    .orderBy('kind', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    orgId: row.org_id,
    causeId: row.cause_id,
    kind: row.kind,
    phase: row.phase as Transfer['phase'], // check constraint
    debit: row.debit_account,
    credit: row.credit_account,
    currency: row.currency,
    amountMinor: BigInt(row.amount_minor),
    createdAt: row.created_at,
  }))
}

function conditionsOf(orgId: string, filters: TransferFilters): RawBuilder<boolean>[] {
  const { accountKind, custody, paymentId } = filters
  const conditions: (RawBuilder<boolean> | undefined)[] = [
    accountKind && either('like', accountPatterns[accountKind]),
    filters.account === undefined ? undefined : either('=', filters.account),
    custody && either('=', account.available(custody)),
    filters.currency === undefined ? undefined : sql<boolean>`currency = ${filters.currency}`,
    filters.from && sql<boolean>`created_at >= ${filters.from}`,
    filters.to && sql<boolean>`created_at < ${filters.to}`,
    paymentId === undefined ? undefined : causedBy(orgId, paymentId),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

const either = (operator: '=' | 'like', name: string): RawBuilder<boolean> =>
  sql<boolean>`(debit_account ${sql.raw(operator)} ${name} or credit_account ${sql.raw(operator)} ${name})`

/** By the payment itself, its refunds, disputes and exceptions, and by adjustments that name it. */
const causedBy = (orgId: string, paymentId: string): RawBuilder<boolean> =>
  sql<boolean>`cause_id = any(array(
    select ${paymentId}::uuid
    union all select refund_id from refunds where org_id = ${orgId} and payment_id = ${paymentId}
    union all select dispute_id from disputes where org_id = ${orgId} and payment_id = ${paymentId}
    union all select exception_id from exceptions where org_id = ${orgId} and payment_id = ${paymentId}
    union all select adjustment_id from ledger_adjustments where org_id = ${orgId} and payment_id = ${paymentId}))`
