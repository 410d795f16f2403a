import { sql, type CompiledQuery } from 'kysely'
import { statements } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import type { InboxRow } from './record.ts'

/** How many messages of a payment are stored. Others than the owner of the account can send these. */
const rowsPerPayment = { provider: 100, unsigned: 100, forged: 20 } as const

/** The primary key makes repeated deliveries harmless: the whole transaction of the second one fails on it. */
export const insertInboxRow = (orgId: string, row: InboxRow): CompiledQuery =>
  row.paymentId === null || row.verdict === 'verified'
    ? statements.insertInto('inbox').values(valuesOf(orgId, row)).compile()
    : insertBounded(orgId, { ...row, verdict: row.verdict, paymentId: row.paymentId })

/** Fails the transaction when the payment has enough rows of this verdict. */
function insertBounded(
  orgId: string,
  row: InboxRow & { verdict: keyof typeof rowsPerPayment; paymentId: string },
): CompiledQuery {
  const values = valuesOf(orgId, row)
  return statements
    .with('known', (db) =>
      db
        .selectFrom('inbox')
        .select(({ fn }) => fn.countAll().as('rows'))
        .where('org_id', '=', orgId)
        .where('payment_id', '=', row.paymentId)
        .where('verdict', '=', row.verdict),
    )
    .with('written', (db) =>
      db
        .insertInto('inbox')
        .columns([
          'org_id',
          'provider',
          'account_id',
          'dedupe_key',
          'reference',
          'payment_id',
          'verdict',
          'provider_status',
          'result',
        ])
        .expression(
          db
            .selectFrom('known')
            .select([
              sql<string>`${values.org_id}::uuid`.as('org_id'),
              sql<string>`${values.provider}::text`.as('provider'),
              sql<string>`${values.account_id}::uuid`.as('account_id'),
              sql<string>`${values.dedupe_key}::text`.as('dedupe_key'),
              sql<string>`${values.reference}::text`.as('reference'),
              sql<string>`${values.payment_id}::uuid`.as('payment_id'),
              sql<string>`${values.verdict}::text`.as('verdict'),
              sql<string>`${values.provider_status}::text`.as('provider_status'),
              sql<string>`${values.result}::text`.as('result'),
            ])
            .where('known.rows', '<', rowsPerPayment[row.verdict]),
        )
        .returning('dedupe_key'),
    )
    .selectFrom('written')
    .select(assertWritten('inboxFull').as('fence'))
    .compile()
}

const valuesOf = (orgId: string, row: InboxRow) => ({
  org_id: orgId,
  provider: row.provider,
  account_id: row.accountId,
  dedupe_key: row.dedupeKey,
  reference: row.reference,
  payment_id: row.paymentId,
  verdict: row.verdict,
  provider_status: row.providerStatus,
  result: row.result,
})
