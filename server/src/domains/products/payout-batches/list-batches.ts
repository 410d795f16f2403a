import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Batch, BatchDeps } from './record.ts'
import type { BatchStatus } from './rules.ts'
import { selectBatches } from './store.ts'

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
