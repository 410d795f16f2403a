import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'

/**
 * Every column that holds values sealed by the vault, and whether they are data of people that can be erased. A test
 * compares this list with the database.
 */
export const sealedColumns = [
  {
    table: 'beneficiaries',
    column: 'details_sealed',
    key: 'beneficiary_id',
    context: 'beneficiary',
    isPersonal: true,
  },
  { table: 'payments', column: 'private_sealed', key: 'payment_id', context: 'payment', isPersonal: true },
  {
    table: 'provider_accounts',
    column: 'credentials_sealed',
    key: 'account_id',
    context: 'provider account',
  },
  { table: 'webhooks', column: 'secret_sealed', key: 'webhook_id', context: 'webhook' },
  { table: 'webhooks', column: 'previous_secret_sealed', key: 'webhook_id', context: 'webhook' },
  { table: 'virtual_accounts', column: 'details_sealed', key: 'account_id', context: 'virtual account' },
  { table: 'suspended_deposits', column: 'sender_sealed', key: 'exception_id', context: 'deposit' },
  {
    table: 'payment_links',
    column: 'private_sealed',
    key: 'link_id',
    context: 'payment link',
    isPersonal: true,
  },
  {
    table: 'notifications',
    column: 'private_sealed',
    key: 'notification_id',
    context: 'notification',
    isPersonal: true,
  },
  { table: 'change_requests', column: 'payload_sealed', key: 'request_id', context: 'change request' },
  {
    table: 'verification_requests',
    column: 'answer_sealed',
    key: 'request_id',
    context: 'verification',
    isPersonal: true,
  },
  { table: 'sanctions_matches', column: 'person_sealed', key: 'match_id', context: 'sanctions match' },
  { table: 'kyb_persons', column: 'details_sealed', key: 'person_id', context: 'kyb person' },
  {
    table: 'dispute_evidence',
    column: 'content_sealed',
    key: 'evidence_id',
    context: 'dispute evidence',
    isPersonal: true,
    /** Files of some megabytes. */
    batchSize: 5,
  },
] as const
type SealedColumn = (typeof sealedColumns)[number]

interface SealedValue {
  id: string
  context: string
  sealed: Buffer
}

/** Ordered by the key's own type, so that the primary key index is used. */
export async function selectSealed(
  tx: Tx,
  orgId: string,
  page: { of: SealedColumn; after: string | undefined; limit: number },
): Promise<SealedValue[]> {
  const { table, column, key } = page.of
  const context = sql`${`${page.of.context} `}::text || ${sql.ref(key)}::text`
  const later = page.after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${page.after}`
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(key)}::text as id, ${context} as context, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where org_id = ${orgId} and octet_length(${sql.ref(column)}) > 0 ${later}
    order by ${sql.ref(key)} limit ${page.limit}`.execute(tx.db)
  return rows
}

/** Does nothing if the value was changed since it was read. */
export async function replaceSealed(
  tx: Tx,
  orgId: string,
  change: { of: SealedColumn; id: string; before: Buffer; after: Buffer },
): Promise<void> {
  const { table, column, key } = change.of
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${change.after}
    where org_id = ${orgId} and ${sql.ref(key)} = ${change.id} and ${sql.ref(column)} = ${change.before}`.execute(
    tx.db,
  )
}
