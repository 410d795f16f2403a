import type { AppError } from '../../../lib/errors.ts'
import { outboxChannel } from '../../../kernel/engine/outbox.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import { recordEvent } from '../../events/webhooks/publish-events.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { isHeldBack } from '../../compliance/suspensions/errors.ts'
import { countProgress } from './reads.ts'
import { payRow, type PayRowDeps } from './pay-row.ts'
import type { Batch, BatchIds, BatchRow } from './record.ts'
import { canMove, progressPollMs, type Progress } from './rules.ts'
import { toProgress, toTotal } from './schema.ts'
import { lockBatch, selectRows, updateBatch } from './store.ts'

const rowsPerRound = 200
/** No row is begun after it, so that a round ends long before the engine would give its worker up. */
const roundMs = 5_000
const concurrentRows = 8

/**
 * One round: sends the next rows, or, once none is left, waits for their payments to end. Returns the milliseconds
 * until the next round; undefined when the batch has ended or was paused.
 */
export async function advanceBatch(deps: PayRowDeps, ids: BatchIds): Promise<number | undefined> {
  const { batch, rows } = await deps.db.inOrg(ids.orgId, async (tx) => ({
    batch: await startSending(tx, ids, deps.clock.now()),
    rows: await selectRows(tx, ids.orgId, ids.batchId, { state: 'pending', after: 0, limit: rowsPerRound }),
  }))
  if (batch?.status !== 'sending') return undefined
  if (rows.length === 0) return finishBatch(deps, ids)
  const refusal = await payRows(deps, batch, rows)
  if (!refusal) return 0
  // The batch stays as it is: its rows wait until the suspension is lifted.
  if (isHeldBack(refusal)) return deps.pollSchedule.suspendedMs
  await pauseBatch(deps, ids, refusal)
  return undefined
}

async function startSending(tx: Tx, ids: BatchIds, at: Date): Promise<Batch | undefined> {
  const batch = await lockBatch(tx, ids.orgId, ids.batchId)
  if (batch?.status !== 'approved') return batch
  const sending: Batch = { ...batch, status: 'sending', updatedAt: at }
  await updateBatch(tx, ids.orgId, sending)
  return sending
}

/** Several rows at a time. A row that is left over, for whatever reason, is still pending in the next round. */
async function payRows(
  deps: PayRowDeps,
  batch: Batch,
  rows: readonly BatchRow[],
): Promise<AppError | undefined> {
  const queue = rows.values()
  const endsAtMs = performance.now() + roundMs
  let refusal: AppError | undefined
  const payInTurn = async (): Promise<void> => {
    for (const row of queue) {
      if (refusal || performance.now() > endsAtMs) return
      refusal = (await payRow(deps, batch, row)) ?? refusal
    }
  }
  const results = await Promise.allSettled(Array.from({ length: concurrentRows }, payInTurn))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return refusal
}

async function pauseBatch(
  deps: PayRowDeps,
  ids: BatchIds,
  { code, message }: Pick<AppError, 'code' | 'message'>,
): Promise<void> {
  const at = deps.clock.now()
  await deps.db.inOrg(ids.orgId, async (tx) => {
    const batch = await lockBatch(tx, ids.orgId, ids.batchId)
    if (!batch || !canMove(batch.status, 'paused')) return
    await publish(tx, { ...batch, status: 'paused', pause: { code, message }, updatedAt: at })
  })
  deps.db.wake(outboxChannel)
}

async function finishBatch(deps: PayRowDeps, ids: BatchIds): Promise<number | undefined> {
  const at = deps.clock.now()
  return deps.db.inOrg(ids.orgId, async (tx) => {
    const batch = await lockBatch(tx, ids.orgId, ids.batchId)
    if (batch?.status !== 'sending') return undefined
    const progress = await countProgress(tx, ids)
    const sentAt = batch.sentAt ?? at
    if (progress.pending > 0) return 0
    if (progress.inProgress > 0) {
      if (!batch.sentAt) await updateBatch(tx, ids.orgId, { ...batch, sentAt })
      return progressPollMs(sentAt, at)
    }
    await publish(tx, { ...batch, status: 'completed', sentAt, updatedAt: at }, progress)
    return undefined
  })
}

/** Writes the batch and an event with its progress. Events are numbered per batch. */
async function publish(tx: Tx, batch: Batch, counted?: Progress): Promise<void> {
  const { orgId, batchId, updatedAt } = batch
  const sequence = batch.eventCount + 1
  await updateBatch(tx, orgId, { ...batch, eventCount: sequence })
  const ids = { resourceId: batchId, createdAt: updatedAt }
  const data = {
    batch_id: batchId,
    row_count: batch.rowCount,
    totals: batch.totals.map(toTotal),
    progress: toProgress(counted ?? (await countProgress(tx, batch))),
    pause: batch.pause,
    updated_at: updatedAt.toISOString(),
    sequence,
  }
  await recordEvent(
    tx,
    orgId,
    batch.status === 'paused'
      ? buildEvent('payout_batch.paused', { ...ids, data: { ...data, status: 'paused' } })
      : buildEvent('payout_batch.completed', { ...ids, data: { ...data, status: 'completed' } }),
  )
}
