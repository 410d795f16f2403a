import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Escrow, EscrowWithTotals, Funding, Party } from './record.ts'

const sumText = (of: string, from: string) =>
  sql<string>`(select coalesce(sum(${sql.raw(of)}), 0)::text from ${sql.raw(from)})`

const columns = [
  'e.org_id as orgId',
  'e.escrow_id as escrowId',
  'e.user_id as userId',
  'e.name',
  'e.description',
  'e.currency',
  'e.account_id as accountId',
  'e.status',
  'e.created_at as createdAt',
  'e.updated_at as updatedAt',
] as const

const selectEscrows = (tx: Tx) =>
  tx.db.selectFrom('escrows as e').select([
    ...columns,
    sumText('f.amount_minor', 'escrow_fundings f where f.org_id = e.org_id and f.escrow_id = e.escrow_id').as(
      'fundedMinor',
    ),
    sumText(
      'f.returned_minor',
      'escrow_fundings f where f.org_id = e.org_id and f.escrow_id = e.escrow_id',
    ).as('returnedMinor'),
    sumText(
      's.amount_minor',
      `escrow_milestones m join escrow_shares s on s.org_id = m.org_id and s.milestone_id = m.milestone_id
         where m.org_id = e.org_id and m.escrow_id = e.escrow_id and s.state = 'paid'`,
    ).as('disbursedMinor'),
  ])

type EscrowRow = Awaited<ReturnType<ReturnType<typeof selectEscrows>['executeTakeFirstOrThrow']>>

const toEscrow = (row: EscrowRow): EscrowWithTotals => ({
  ...row,
  status: row.status as Escrow['status'], // check constraint
  fundedMinor: BigInt(row.fundedMinor),
  returnedMinor: BigInt(row.returnedMinor),
  disbursedMinor: BigInt(row.disbursedMinor),
})

export async function insertEscrow(
  tx: Tx,
  orgId: string,
  row: Pick<Escrow, 'escrowId' | 'userId' | 'name' | 'description' | 'currency' | 'accountId' | 'createdAt'>,
): Promise<void> {
  await tx.db
    .insertInto('escrows')
    .values({
      org_id: orgId,
      escrow_id: row.escrowId,
      user_id: row.userId,
      name: row.name,
      description: row.description,
      currency: row.currency,
      account_id: row.accountId,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    })
    .execute()
}

export async function findEscrow(
  tx: Tx,
  orgId: string,
  escrowId: string,
): Promise<EscrowWithTotals | undefined> {
  const row = await selectEscrows(tx)
    .where('e.org_id', '=', orgId)
    .where('e.escrow_id', '=', escrowId)
    .executeTakeFirst()
  return row && toEscrow(row)
}

/** Without totals, which would be computed from the snapshot before the wait for the lock. */
export async function lockEscrow(tx: Tx, orgId: string, escrowId: string): Promise<Escrow | undefined> {
  const row = await tx.db
    .selectFrom('escrows as e')
    .select(columns)
    .where('e.org_id', '=', orgId)
    .where('e.escrow_id', '=', escrowId)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, status: row.status as Escrow['status'] } // check constraint
}

export async function selectEscrowPage(
  tx: Tx,
  orgId: string,
  page: { status: string | undefined; limit: number; before: Position | undefined },
): Promise<EscrowWithTotals[]> {
  let query = selectEscrows(tx).where('e.org_id', '=', orgId)
  if (page.status !== undefined) query = query.where('e.status', '=', page.status)
  if (page.before) query = query.where(beforePosition('e.created_at', 'e.escrow_id', page.before))
  const rows = await query
    .orderBy('e.created_at', 'desc')
    .orderBy('e.escrow_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toEscrow)
}

export async function updateEscrowStatus(
  tx: Tx,
  orgId: string,
  change: { escrowId: string; status: Escrow['status']; at: Date },
): Promise<void> {
  await tx.db
    .updateTable('escrows')
    .set({ status: change.status, updated_at: change.at })
    .where('org_id', '=', orgId)
    .where('escrow_id', '=', change.escrowId)
    .execute()
}

export async function insertFunding(
  tx: Tx,
  orgId: string,
  row: Omit<Funding, 'returnedMinor'> & { escrowId: string; at: Date },
): Promise<void> {
  await tx.db
    .insertInto('escrow_fundings')
    .values({
      org_id: orgId,
      funding_id: row.fundingId,
      escrow_id: row.escrowId,
      account_id: row.accountId,
      amount_minor: row.amountMinor.toString(),
      created_at: row.at,
    })
    .execute()
}

/** Oldest first: funding ids are ordered by time. */
export async function selectFundings(tx: Tx, orgId: string, escrowId: string): Promise<Funding[]> {
  const rows = await tx.db
    .selectFrom('escrow_fundings')
    .select(['funding_id as fundingId', 'account_id as accountId', 'amount_minor', 'returned_minor'])
    .where('org_id', '=', orgId)
    .where('escrow_id', '=', escrowId)
    .orderBy('funding_id')
    .execute()
  return rows.map(({ amount_minor, returned_minor, ...row }) => ({
    ...row,
    amountMinor: BigInt(amount_minor),
    returnedMinor: BigInt(returned_minor),
  }))
}

export async function addReturn(
  tx: Tx,
  orgId: string,
  given: { fundingId: string; amountMinor: bigint },
): Promise<void> {
  await tx.db
    .updateTable('escrow_fundings')
    .set({ returned_minor: sql`returned_minor + ${given.amountMinor.toString()}::numeric` })
    .where('org_id', '=', orgId)
    .where('funding_id', '=', given.fundingId)
    .execute()
}

export async function insertParty(tx: Tx, orgId: string, party: Party): Promise<void> {
  await tx.db
    .insertInto('escrow_parties')
    .values({
      org_id: orgId,
      party_id: party.partyId,
      escrow_id: party.escrowId,
      name: party.name,
      account_id: party.accountId,
      beneficiary_id: party.beneficiaryId,
      created_at: party.createdAt,
    })
    .execute()
}

export const selectParties = (tx: Tx, orgId: string, escrowId: string): Promise<Party[]> =>
  tx.db
    .selectFrom('escrow_parties')
    .select([
      'org_id as orgId',
      'party_id as partyId',
      'escrow_id as escrowId',
      'name',
      'account_id as accountId',
      'beneficiary_id as beneficiaryId',
      'created_at as createdAt',
    ])
    .where('org_id', '=', orgId)
    .where('escrow_id', '=', escrowId)
    .orderBy('party_id')
    .execute()
