import { runStatements, type Tx } from '../../../../kernel/db/database.ts'
import { enqueue } from '../../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { assertPayoutsOpen } from '../../../people/organizations/reads.ts'
import { changeMilestone } from '../milestones/change-milestone.ts'
import { wrongStatus } from '../milestones/errors.ts'
import { getMilestone } from '../milestones/reads.ts'
import { milestoneOf, openActiveEscrow } from '../milestones/open-escrow.ts'
import type { Milestone } from '../milestones/record.ts'
import { incompletenessOf, shareOut } from '../milestones/rules.ts'
import type { EscrowDeps } from '../record.ts'
import { disbursing, incompleteSplits, notFunded, nothingToRetry } from './errors.ts'
import { toOrderedBy } from './restore-caller.ts'
import { insertShares, retryShare } from './store.ts'

/**
 * Orders the disbursement, or retries the shares of one that is stuck; the engine pays. The escrow's lock serialises
 * concurrent orders, so that the second one is refused.
 */
export async function disburseMilestone(
  deps: EscrowDeps,
  caller: Caller,
  input: { escrowId: string; milestoneId: string },
): Promise<Milestone> {
  const { orgId } = caller
  const { milestoneId } = input
  const at = deps.clock.now()
  await assertPayoutsOpen(deps, orgId)
  await deps.db.inOrg(orgId, async (tx) => {
    const before = milestoneOf(await openActiveEscrow(tx, orgId, input.escrowId), milestoneId)
    if (before.status === 'disbursing') await retryStuckShares(tx, before, at)
    else await createShares(tx, before, at)
    const ordered = {
      ...before,
      status: 'disbursing' as const,
      orderedBy: toOrderedBy(caller),
      updatedAt: at,
    }
    await changeMilestone(tx, before, ordered)
    await enqueue(tx, orgId, disburseJob(orgId, milestoneId))
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.milestone.disburse',
      resourceType: 'escrow-milestone',
      resourceId: milestoneId,
      before: { status: before.status },
      after: { status: 'disbursing' },
    })
  })
  return getMilestone(deps, caller, input)
}

async function createShares(tx: Tx, milestone: Milestone, at: Date): Promise<void> {
  const { orgId, milestoneId, expectedMinor, splits } = milestone
  if (milestone.status !== 'approved') throw wrongStatus(milestone.status, 'approved')
  const problem = incompletenessOf(expectedMinor, splits)
  if (problem) throw incompleteSplits(problem)
  if (milestone.coveredMinor < expectedMinor) throw notFunded()
  const shares = [...shareOut(expectedMinor, splits)]
    .filter(([, amountMinor]) => amountMinor > 0n)
    .map(([partyId, amountMinor]) => ({ partyId, amountMinor, paymentId: newId() }))
  await insertShares(tx, orgId, { milestoneId, shares, at })
}

async function retryStuckShares(tx: Tx, { orgId, shares }: Milestone, at: Date): Promise<void> {
  const left = shares.filter(({ state }) => state !== 'paid')
  if (left.length === 0 || left.some(({ state }) => state !== 'stuck')) throw disbursing()
  const payable = left.filter(({ isPaidLate }) => !isPaidLate)
  if (payable.length === 0) throw nothingToRetry()
  const again = payable.map(({ paymentId }) =>
    retryShare(orgId, { paymentId, nextPaymentId: newId(), retryAt: null, at }),
  )
  await runStatements(tx, again)
}

export const disburseJob = (orgId: string, milestoneId: string) => ({
  service: 'Disbursements',
  handler: 'disburse',
  payload: { orgId, milestoneId },
})
