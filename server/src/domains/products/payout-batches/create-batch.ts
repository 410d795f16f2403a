import type { CompiledQuery } from 'kysely'
import { runStatements, type Tx } from '../../../kernel/db/database.ts'
import { enqueueStatement, outboxChannel } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { toOrderedBy } from '../escrow/disbursements/restore-caller.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { checkBatchApproval } from './check-batch-approval.ts'
import { duplicateBatch, invalidRows } from './errors.ts'
import { announceBatch } from './notify-approvers.ts'
import type { Batch, BatchDeps, BatchIds } from './record.ts'
import { duplicateMs, fingerprintOf } from './rules.ts'
import { findDuplicateId, insertBatch, insertRows, lockFingerprint } from './store.ts'
import { validateRows } from './validate-rows.ts'

interface NewBatch {
  description: string | null
  rows: readonly Readonly<Record<string, unknown>>[]
  /** Stores it although another batch has the same rows. */
  allowsDuplicate: boolean
  /** Binds the caller's Idempotency-Key to the batch. */
  claim: ((batchId: string) => CompiledQuery) | undefined
}

/** Stores the batch with all its rows, or refuses it with every error of every row. */
export async function createBatch(deps: BatchDeps, caller: Caller, input: NewBatch): Promise<BatchIds> {
  const { orgId } = caller
  await assertPayoutsOpen(deps, orgId)
  const checked = await validateRows(deps, orgId, input.rows)
  if (checked.errorCount > 0) throw invalidRows(checked)
  const { rows, totals } = checked
  const needsApproval = await checkBatchApproval(deps, orgId, totals)
  const now = deps.clock.now()
  const fingerprint = fingerprintOf(rows)
  const batch: Batch = {
    orgId,
    batchId: newId(),
    fingerprint,
    status: needsApproval ? 'awaiting_approval' : 'approved',
    description: input.description,
    rowCount: rows.length,
    totals,
    orderedBy: toOrderedBy(caller),
    createdBy: caller.userId,
    reviewedBy: null,
    decidedBy: null,
    comments: null,
    pause: null,
    eventCount: 0,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  }
  const { batchId } = batch
  const writes = [
    insertBatch(orgId, batch),
    insertRows(orgId, batch, rows),
    auditStatement(caller, orgId, {
      action: 'payout-batch.create',
      resourceType: 'payout-batch',
      resourceId: batchId,
      after: { status: batch.status, row_count: rows.length },
    }),
    ...(needsApproval
      ? await announceBatch(deps, batch, caller.origin.requestId)
      : [enqueueStatement(orgId, [{ ...batchJob(batch), outboxId: newId() }])]),
  ]
  await deps.db.inOrg(orgId, async (tx) => {
    // The key comes first: a repeat of this call is answered with its batch and is no duplicate.
    if (input.claim) await runStatements(tx, [input.claim(batchId)])
    if (!input.allowsDuplicate) await refuseDuplicate(tx, orgId, { fingerprint, now })
    await runStatements(tx, writes)
  })
  deps.db.wake(outboxChannel)
  return { orgId, batchId }
}

async function refuseDuplicate(
  tx: Tx,
  orgId: string,
  { fingerprint, now }: { fingerprint: Buffer; now: Date },
): Promise<void> {
  await lockFingerprint(tx, orgId, fingerprint)
  const since = new Date(now.getTime() - duplicateMs)
  const duplicateId = await findDuplicateId(tx, orgId, { fingerprint, since })
  if (duplicateId !== undefined) throw duplicateBatch(duplicateId)
}

export const batchJob = ({ orgId, batchId }: BatchIds) => ({
  service: 'PayoutBatches',
  handler: 'send',
  payload: { orgId, batchId },
})
