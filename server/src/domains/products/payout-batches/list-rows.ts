import type { Tx } from '../../../kernel/db/database.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { listOutcomes } from '../../payments/reads/outcomes/list-outcomes.ts'
import { getBatch } from './reads.ts'
import type { BatchDeps, BatchIds, RowResult } from './record.ts'
import type { RowState } from './rules.ts'
import { selectRows } from './store.ts'

type RowDeps = Pick<BatchDeps, 'db' | 'cursorKey'>

/** In the order of the file. */
export async function listRows(
  deps: RowDeps,
  ids: BatchIds,
  input: { state: RowState | undefined; page: PageRequest },
): Promise<Page<RowResult>> {
  const { orgId, batchId } = ids
  const { batch } = await getBatch(deps, ids)
  const { state } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'payout-batch-rows', filters: { batchId, state } },
    read: (limit, position) =>
      deps.db.inOrg(orgId, (tx) => readRows(tx, ids, { state, after: Number(position?.id ?? 0), limit })),
    positionOf: ({ rowNo }) => ({ createdAt: batch.createdAt, id: String(rowNo) }),
  })
}

const exportRows = 500

/** Every row, a page at a time, so that a file of any length needs the memory of one page. */
export async function* exportResults(deps: RowDeps, ids: BatchIds): AsyncGenerator<RowResult[]> {
  let after = 0
  for (;;) {
    const rows = await deps.db.inOrg(ids.orgId, (tx) =>
      readRows(tx, ids, { state: undefined, after, limit: exportRows }),
    )
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < exportRows) return
    after = last.rowNo
  }
}

async function readRows(
  tx: Tx,
  ids: BatchIds,
  page: { state: RowState | undefined; after: number; limit: number },
): Promise<RowResult[]> {
  const rows = await selectRows(tx, ids.orgId, ids.batchId, page)
  const sent = rows.filter(({ state }) => state === 'sent')
  const outcomes = await listOutcomes(
    tx,
    ids.orgId,
    sent.map(({ paymentId }) => paymentId),
  )
  return rows.map((row) => ({ ...row, outcome: outcomes.get(row.paymentId) }))
}
