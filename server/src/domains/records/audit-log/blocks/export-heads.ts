import { z } from 'zod'
import type { Database } from '../../../../kernel/db/database.ts'
import { dateTime, uuid } from '../../../../lib/requests/wire.ts'
import { selectHeadsAcrossOrgs } from './store.ts'

const exportedHead = z.object({
  org_id: uuid,
  block_no: z.int(),
  block_hash: z.string(),
  sealed_at: dateTime,
})

/** The newest block of an organisation, for safekeeping by a third party. */
export type ExportedHead = z.infer<typeof exportedHead>

export async function exportHeadsAcrossOrgs(db: Database['readAcrossOrgs']): Promise<ExportedHead[]> {
  const heads = await selectHeadsAcrossOrgs(db)
  return heads.map(({ orgId, blockNo, blockHash, sealedAt }) => ({
    org_id: orgId,
    block_no: blockNo,
    block_hash: blockHash.toString('hex'),
    sealed_at: sealedAt.toISOString(),
  }))
}

const exportFile = z.object({ heads: z.array(exportedHead) })

export const readExportedHeads = (text: string): ExportedHead[] => exportFile.parse(JSON.parse(text)).heads
