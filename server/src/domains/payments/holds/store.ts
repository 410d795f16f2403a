import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { SubjectKind } from '../../compliance/sanctions/matches/record.ts'

interface HeldRow {
  paymentId: string
  amountMinor: string
  currency: string
  clientReference: string | null
  createdAt: Date
}

/** Payments that have yet to be sent and have no open attempt. A match with the people behind an organisation holds its outgoing payments. */
export async function selectHeld(
  tx: Tx,
  orgId: string,
  { kind, subjectId, limit }: { kind: SubjectKind; subjectId: string; limit: number },
): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select payment_id as "paymentId", amount_minor as "amountMinor", currency, client_reference as "clientReference",
      created_at as "createdAt"
    from payments p
    where org_id = ${orgId} and is_open and status in ('confirmed', 'processing')
      and ${
        kind === 'kyb'
          ? sql`direction <> 'inbound'`
          : kind === 'payer'
            ? sql`payment_id = ${subjectId}`
            : sql`beneficiary_id = ${subjectId}`
      }
      and not exists (select from attempts a where a.org_id = p.org_id and a.payment_id = p.payment_id and a.is_open)
    order by payment_id limit ${limit}`.execute(tx.db)
  return rows
}
