import type { CompiledQuery } from 'kysely'
import { statements } from '../../db/database.ts'
import type { InboxRow } from './record.ts'

/** The primary key makes repeated deliveries harmless: the whole transaction of the second one fails on it. */
export const insertInboxRow = (orgId: string, row: InboxRow): CompiledQuery =>
  statements
    .insertInto('inbox')
    .values({
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
    .compile()
