import type { CompiledQuery } from 'kysely'
import type { EvidenceField, FilePurpose } from '../../../../connectors/kit/disputes.ts'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import type { EvidenceRow, SealedEvidence } from '../record.ts'

export const insertEvidence = (
  orgId: string,
  disputeId: string,
  rows: readonly SealedEvidence[],
): CompiledQuery =>
  statements
    .insertInto('dispute_evidence')
    .values(
      rows.map((row) => ({
        org_id: orgId,
        dispute_id: disputeId,
        evidence_id: row.evidenceId,
        kind: row.kind,
        field: row.field,
        file_name: row.fileName,
        content_type: row.contentType,
        size_bytes: row.sizeBytes,
        content_sealed: row.contentSealed,
        user_id: row.userId,
        created_at: row.createdAt,
      })),
    )
    .compile()

const columns = [
  'evidence_id as evidenceId',
  'kind',
  'field',
  'file_name as fileName',
  'content_type as contentType',
  'size_bytes as sizeBytes',
  'user_id as userId',
  'created_at as createdAt',
] as const

type Row = Omit<EvidenceRow, 'kind' | 'field'> & { kind: string; field: string }

const toRow = <Given extends Row>(row: Given) => ({
  ...row,
  kind: row.kind === 'file' ? ('file' as const) : ('text' as const),
  field: row.field as EvidenceField | FilePurpose, // written from these types only
})

export async function selectEvidence(tx: Tx, orgId: string, disputeId: string): Promise<EvidenceRow[]> {
  const rows = await tx.db
    .selectFrom('dispute_evidence')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('dispute_id', '=', disputeId)
    .orderBy('created_at')
    .orderBy('evidence_id')
    .execute()
  return rows.map((row) => toRow(row))
}

export async function selectSealedEvidence(
  tx: Tx,
  orgId: string,
  disputeId: string,
): Promise<SealedEvidence[]> {
  const rows = await tx.db
    .selectFrom('dispute_evidence')
    .select([...columns, 'content_sealed as contentSealed'])
    .where('org_id', '=', orgId)
    .where('dispute_id', '=', disputeId)
    .orderBy('created_at')
    .orderBy('evidence_id')
    .execute()
  return rows.map((row) => toRow(row))
}
