import {
  evidenceFileTypes,
  type DisputeEvidence,
  type EvidenceField,
  type FilePurpose,
} from '../../../../connectors/kit/disputes.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Dispute } from '../record.ts'
import { selectSealedEvidence } from './store.ts'

/** Binds sealed evidence to its row. */
export const evidenceContext = (evidenceId: string): string => `dispute evidence ${evidenceId}`

/** Opens all evidence of a dispute, to be sent. A later text replaces an earlier one of the same field. */
export async function readEvidence(
  deps: { db: Database; vault: Vault },
  { orgId, disputeId }: Pick<Dispute, 'orgId' | 'disputeId'>,
): Promise<DisputeEvidence> {
  const rows = await deps.db.inOrg(orgId, (tx) => selectSealedEvidence(tx, orgId, disputeId))
  const texts: Partial<Record<EvidenceField, string>> = {}
  const files: DisputeEvidence['files'][number][] = []
  for (const row of rows) {
    const content = String(await deps.vault.open(orgId, evidenceContext(row.evidenceId), row.contentSealed))
    const contentType = evidenceFileTypes.find((type) => type === row.contentType)
    if (row.kind === 'text') texts[row.field as EvidenceField] = content // a text has a field
    else if (contentType)
      files.push({
        purpose: row.field as FilePurpose, // a file has a purpose
        name: row.fileName ?? 'evidence',
        contentType,
        bytes: Buffer.from(content, 'base64'),
      })
  }
  return { texts, files }
}
