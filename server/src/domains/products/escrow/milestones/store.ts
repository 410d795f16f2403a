import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import type { Milestone, StoredMilestone, StoredShare } from './record.ts'
import type { Split, SplitType } from './rules.ts'

type AsText<T> = { [Key in keyof T]: T[Key] extends bigint ? string : T[Key] }

interface MilestoneRow extends Omit<AsText<StoredMilestone>, 'splits' | 'shares'> {
  splits: { partyId: string; type: SplitType; value: string }[]
  shares: (Omit<AsText<StoredShare>, 'retryAt'> & { retryAt: string | null })[]
}

const toMilestone = (row: MilestoneRow): StoredMilestone => ({
  ...row,
  expectedMinor: BigInt(row.expectedMinor),
  coveredMinor: BigInt(row.coveredMinor),
  splits: row.splits.map((split) => ({ ...split, value: BigInt(split.value) })),
  shares: row.shares.map((share) => ({
    ...share,
    amountMinor: BigInt(share.amountMinor),
    retryAt: share.retryAt === null ? null : new Date(share.retryAt),
  })),
})

/** All milestones of an escrow in sequence, each with its splits and shares. */
export async function selectMilestones(tx: Tx, orgId: string, escrowId: string): Promise<StoredMilestone[]> {
  const { rows } = await sql<MilestoneRow>`
    select m.org_id as "orgId", m.escrow_id as "escrowId", m.milestone_id as "milestoneId", e.currency, m.label,
      m.description, m.sequence, m.expected_minor as "expectedMinor", m.covered_minor as "coveredMinor", m.status,
      m.due_date::text as "dueDate", m.contract_reference as "contractReference", m.contract_url as "contractUrl",
      m.contract_submitted_at as "contractSubmittedAt", m.disbursed_at as "disbursedAt", m.ordered_by as "orderedBy",
      m.event_count as "eventCount", m.created_at as "createdAt", m.updated_at as "updatedAt",
      (select coalesce(json_agg(json_build_object('partyId', s.party_id, 'type', s.split_type,
          'value', s.split_value::text) order by s.party_id), '[]')
        from escrow_splits s where s.org_id = m.org_id and s.milestone_id = m.milestone_id) as splits,
      (select coalesce(json_agg(json_build_object('partyId', s.party_id, 'amountMinor', s.amount_minor::text,
          'state', s.state, 'paymentId', s.payment_id, 'tries', s.tries, 'retryAt', s.retry_at,
          'failureCode', s.failure_code, 'failureMessage', s.failure_message,
          'triedPaymentIds', s.tried_payment_ids) order by s.party_id), '[]')
        from escrow_shares s where s.org_id = m.org_id and s.milestone_id = m.milestone_id) as shares
    from escrow_milestones m join escrows e on e.org_id = m.org_id and e.escrow_id = m.escrow_id
    where m.org_id = ${orgId} and m.escrow_id = ${escrowId}
    order by m.sequence`.execute(tx.db)
  return rows.map(toMilestone)
}

export async function insertMilestone(tx: Tx, orgId: string, row: Milestone): Promise<void> {
  await tx.db
    .insertInto('escrow_milestones')
    .values({
      org_id: orgId,
      milestone_id: row.milestoneId,
      escrow_id: row.escrowId,
      label: row.label,
      description: row.description,
      sequence: row.sequence,
      expected_minor: row.expectedMinor.toString(),
      due_date: row.dueDate,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

/** Writes every column that can change. It has no version check: the caller holds the escrow's lock. */
export const updateMilestone = (orgId: string, row: Milestone): CompiledQuery =>
  statements
    .updateTable('escrow_milestones')
    .set({
      label: row.label,
      description: row.description,
      expected_minor: row.expectedMinor.toString(),
      covered_minor: row.coveredMinor.toString(),
      status: row.status,
      due_date: row.dueDate,
      contract_reference: row.contractReference,
      contract_url: row.contractUrl,
      contract_submitted_at: row.contractSubmittedAt,
      disbursed_at: row.disbursedAt,
      ordered_by: row.orderedBy === null ? null : JSON.stringify(row.orderedBy),
      event_count: row.eventCount,
      updated_at: row.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('milestone_id', '=', row.milestoneId)
    .compile()

export async function putSplits(
  tx: Tx,
  orgId: string,
  put: { milestoneId: string; splits: readonly Split[] },
): Promise<void> {
  if (put.splits.length === 0) return
  await tx.db
    .insertInto('escrow_splits')
    .values(
      put.splits.map((split) => ({
        org_id: orgId,
        milestone_id: put.milestoneId,
        party_id: split.partyId,
        split_type: split.type,
        split_value: split.value.toString(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'milestone_id', 'party_id']).doUpdateSet((excluded) => ({
        split_type: excluded.ref('excluded.split_type'),
        split_value: excluded.ref('excluded.split_value'),
      })),
    )
    .execute()
}
