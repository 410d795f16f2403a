import type { Database, Tx } from '../../../kernel/db/database.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { countOutcomes } from '../../payments/reads/outcomes/list-outcomes.ts'
import type { LineageSource } from '../../people/empowerments/record.ts'
import { isSecondPerson } from '../../people/empowerments/rules.ts'
import type { Batch, BatchDeps, BatchIds } from './record.ts'
import { progressOf, type BatchStatus, type Progress } from './rules.ts'
import { countRows, findBatch, selectBatches, selectSentPaymentIds } from './store.ts'

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

export function listBatches(
  deps: Pick<BatchDeps, 'db' | 'cursorKey'>,
  { orgId }: Caller,
  input: { status: BatchStatus | undefined; page: PageRequest },
): Promise<Page<Batch>> {
  const { status } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'payout-batches', filters: { status } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectBatches(tx, orgId, { status, limit, before })),
    positionOf: ({ createdAt, batchId }) => ({ createdAt, id: batchId }),
  })
}

/** Those of the newest `limit` that wait for an approval that the caller may give. */
export async function listWaitingBatches(
  deps: { db: Database; lineage: LineageSource },
  caller: Caller,
  limit: number,
): Promise<Batch[]> {
  const { orgId, role, userId, permissions } = caller
  if (!permissions.has('payouts:approve')) return []
  const isAdministrator = role === 'org-admin' || role === 'platform-admin'
  const [batches, lineage] = await deps.db.inOrg(orgId, async (tx) => [
    await selectBatches(tx, orgId, { status: 'awaiting_approval', limit, before: undefined }),
    await deps.lineage.readIn(tx, orgId),
  ])
  return batches.filter(
    ({ createdBy, reviewedBy }) =>
      [createdBy, reviewedBy].every((other) => other === null || isSecondPerson(lineage, other, userId)) &&
      (isAdministrator || reviewedBy === null),
  )
}
