import { runStatements } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { assertIndependent } from '../../people/empowerments/reads.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { changeBatch, type ChangeDeps } from './change-batch.ts'
import { administratorsApprove, ownBatch, reviewedAlready, reviewedMeanwhile } from './errors.ts'
import { announceSecondApproval } from './notify-approvers.ts'
import { getBatch } from './reads.ts'
import type { Batch, BatchDeps } from './record.ts'

interface BatchDecision {
  batchId: string
  comments: string | null
}

/**
 * As many approvals as one payment of its amount takes: a member approves, then an org-admin, and neither of them has
 * created the batch or is related to the others.
 */
export async function approveBatch(deps: BatchDeps, caller: Caller, input: BatchDecision): Promise<void> {
  const { orgId } = caller
  await assertPayoutsOpen(deps, orgId)
  const { batch: seen } = await getBatch(deps, { orgId, batchId: input.batchId })
  const others = [seen.createdBy, ...(seen.reviewedBy === null ? [] : [seen.reviewedBy])]
  await assertIndependent(deps, caller, { orgId, others })
  const administrators = await announceSecondApproval(deps, seen, caller)
  await changeBatch(deps, caller, {
    batchId: input.batchId,
    to: ({ status, reviewedBy }) =>
      status === 'awaiting_approval' && reviewedBy === null ? 'awaiting_approval' : 'approved',
    verb: 'approved',
    async decide(batch, tx) {
      assertMayApprove(caller, batch)
      // Whoever approved it in between may be related to the caller, which was asked about the others only.
      if (batch.reviewedBy !== seen.reviewedBy) throw reviewedMeanwhile()
      if (batch.reviewedBy !== null) return { decidedBy: caller.userId, comments: input.comments }
      await runStatements(tx, administrators)
      return { reviewedBy: caller.userId, comments: input.comments }
    },
  })
}

export const rejectBatch = (deps: ChangeDeps, caller: Caller, input: BatchDecision): Promise<void> =>
  changeBatch(deps, caller, {
    batchId: input.batchId,
    to: 'rejected',
    verb: 'rejected',
    decide(batch) {
      assertNotOwn(caller, batch)
      return { decidedBy: caller.userId, comments: input.comments }
    },
  })

function assertMayApprove(caller: Caller, batch: Batch): void {
  assertNotOwn(caller, batch)
  if (batch.reviewedBy === null) return
  if (batch.reviewedBy === caller.userId) throw reviewedAlready()
  if (caller.role !== 'org-admin' && caller.role !== 'platform-admin') throw administratorsApprove()
}

function assertNotOwn(caller: Caller, { createdBy }: Batch): void {
  if (createdBy === caller.userId) throw ownBatch()
}
