import type { Caller } from '../../../lib/requests/access.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import { changeBatch, type ChangeDeps } from './change-batch.ts'
import { administratorsApprove, ownBatch } from './errors.ts'
import type { Batch } from './record.ts'

interface BatchDecision {
  batchId: string
  comments: string | null
}

/** One approval for all rows, by an org-admin who did not create the batch. */
export async function approveBatch(deps: ChangeDeps, caller: Caller, input: BatchDecision): Promise<void> {
  await assertPayoutsOpen(deps, caller.orgId)
  await changeBatch(deps, caller, {
    batchId: input.batchId,
    to: 'approved',
    verb: 'approved',
    decide(batch) {
      assertNotOwn(caller, batch)
      if (caller.role !== 'org-admin' && caller.role !== 'platform-admin') throw administratorsApprove()
      return { decidedBy: caller.userId, comments: input.comments }
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

function assertNotOwn(caller: Caller, { createdBy }: Batch): void {
  if (createdBy === caller.userId) throw ownBatch()
}
