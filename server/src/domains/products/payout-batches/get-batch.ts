import type { Database, Tx } from '../../../kernel/db/database.ts'
import { notFound } from '../../../lib/errors.ts'
import { countOutcomes } from '../../payments/reads/outcomes/list-outcomes.ts'
import type { Batch, BatchIds } from './record.ts'
import { progressOf, type Progress } from './rules.ts'
import { countRows, findBatch, selectSentPaymentIds } from './store.ts'

export const batchNotFound = () => notFound('The batch')

export const getBatch = (
  deps: { db: Database },
  ids: BatchIds,
): Promise<{ batch: Batch; progress: Progress }> =>
  deps.db.inOrg(ids.orgId, async (tx) => {
    const batch = await findBatch(tx, ids.orgId, ids.batchId)
    if (!batch) throw batchNotFound()
    return { batch, progress: await countProgress(tx, ids) }
  })

/** Counted from the rows and their payments, so that no counter is written by every payment. */
export async function countProgress(tx: Tx, { orgId, batchId }: BatchIds): Promise<Progress> {
  const rows = await countRows(tx, orgId, batchId)
  return progressOf(rows, await countOutcomes(tx, orgId, await selectSentPaymentIds(tx, orgId, batchId)))
}
