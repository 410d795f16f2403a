import type { Database, Tx } from '../../../kernel/db/database.ts'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { batchJob } from './create-batch.ts'
import { nothingToCancel, wrongStatus } from './errors.ts'
import { batchNotFound } from './reads.ts'
import type { Batch, BatchIds } from './record.ts'
import { canMove, type BatchStatus } from './rules.ts'
import { cancelPendingRows, lockBatch, updateBatch } from './store.ts'

export interface ChangeDeps {
  db: Database
  clock: Clock
}

interface Change {
  batchId: string
  to: BatchStatus | ((batch: Batch) => BatchStatus)
  /** In the sentence that refuses the change: "it cannot be …". */
  verb: string
  /** Checks that need the batch, and what else the change writes. */
  decide?: (batch: Batch, tx: Tx) => Partial<Batch> | Promise<Partial<Batch>>
}

/** Moves a batch on a person's order. The lock serialises concurrent orders, so that the second one is refused. */
export async function changeBatch(deps: ChangeDeps, caller: Caller, change: Change): Promise<void> {
  const { orgId } = caller
  const ids = { orgId, batchId: change.batchId }
  const at = deps.clock.now()
  await deps.db.inOrg(orgId, async (tx) => {
    const before = await lockBatch(tx, orgId, change.batchId)
    if (!before) throw batchNotFound()
    const to = typeof change.to === 'function' ? change.to(before) : change.to
    if (!canMove(before.status, to)) throw wrongStatus(before.status, change.verb)
    const decided = await change.decide?.(before, tx)
    await updateBatch(tx, orgId, { ...before, pause: null, ...decided, status: to, updatedAt: at })
    await startOrCancel(tx, ids, to, at)
    await recordAudit(tx, caller, orgId, {
      action: `payout-batch.${change.verb}`,
      resourceType: 'payout-batch',
      resourceId: ids.batchId,
      before: { status: before.status },
      after: { status: to },
    })
  })
}

async function startOrCancel(tx: Tx, ids: BatchIds, to: BatchStatus, at: Date): Promise<void> {
  if (to === 'approved' || to === 'sending') await enqueue(tx, ids.orgId, batchJob(ids))
  if (to !== 'rejected' && to !== 'canceled') return
  const canceled = await cancelPendingRows(tx, ids.orgId, ids.batchId, at)
  if (canceled === 0) throw nothingToCancel()
}

/** Only what is paused can be resumed: an approved batch is about to be sent anyway. */
export const resumeBatch = (deps: ChangeDeps, caller: Caller, input: { batchId: string }): Promise<void> =>
  changeBatch(deps, caller, {
    ...input,
    to: 'sending',
    verb: 'resumed',
    decide({ status }) {
      if (status !== 'paused') throw wrongStatus(status, 'resumed')
      return {}
    },
  })
