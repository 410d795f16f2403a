import type { CompiledQuery } from 'kysely'
import { runStatements, timeIn, type Database, type Tx } from '../../../../kernel/db/database.ts'
import { notFound } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { insertException } from '../../../people/exceptions/raise-exception.ts'
import { changeMilestone, publishMilestoneEvent } from '../milestones/change-milestone.ts'
import { milestoneOf, openEscrow } from '../milestones/open-escrow.ts'
import type { Milestone, Share } from '../milestones/record.ts'
import { exceptionTexts } from './errors.ts'
import type { DisbursementIds } from './record.ts'
import { retryAtOf } from './rules.ts'
import { findEscrowOf, markShareStuck, retryShare } from './store.ts'

export interface AdvanceDeps {
  db: Database
  payoutRetriesMs: readonly number[]
}

/**
 * Schedules retries for failed shares or raises exceptions for them, and marks the milestone disbursed once all are
 * paid. Returns the milliseconds until the next retry, if there is one.
 */
export async function advanceDisbursement(
  deps: AdvanceDeps,
  { orgId, milestoneId }: DisbursementIds,
): Promise<number | undefined> {
  return deps.db.inOrg(orgId, async (tx) => {
    const now = await timeIn(tx)
    const escrowId = await findEscrowOf(tx, orgId, milestoneId)
    if (escrowId === undefined) throw notFound('The milestone')
    const milestone = milestoneOf(await openEscrow(tx, orgId, escrowId), milestoneId)
    const failed = milestone.shares.filter(({ state }) => state === 'failed')
    const verdicts = failed.map((share) => ({ share, retryAt: retryOf(deps, milestone, share, now) }))
    await runStatements(
      tx,
      verdicts.flatMap(({ share, retryAt }) =>
        retryAt
          ? [retryShare(orgId, { paymentId: share.paymentId, nextPaymentId: newId(), retryAt, at: now })]
          : escalate(milestone, share, now),
      ),
    )
    if (verdicts.some(({ retryAt }) => !retryAt))
      await publishFailure(tx, orgId, { escrowId, milestoneId }, now)
    else await finish(tx, milestone, now)
    const waiting = [
      ...verdicts.map(({ retryAt }) => retryAt),
      ...milestone.shares.map(({ state, retryAt }) => (state === 'pending' ? retryAt : undefined)),
    ].filter((retryAt) => retryAt instanceof Date)
    if (waiting.length === 0) return undefined
    return Math.max(0, Math.min(...waiting.map((retryAt) => retryAt.getTime())) - now.getTime())
  })
}

/** Shares of a milestone that has ended are not retried. */
const retryOf = (deps: AdvanceDeps, { status }: Milestone, share: Share, now: Date): Date | undefined =>
  status === 'disbursing' ? retryAtOf(share, deps.payoutRetriesMs, now) : undefined

const escalate = (
  { orgId, milestoneId }: Milestone,
  { partyId, paymentId, hasPayment, failureCode }: Share,
  at: Date,
): CompiledQuery[] => [
  markShareStuck(orgId, paymentId, at),
  insertException(orgId, {
    kind: 'escrow_payout_failed',
    paymentId: hasPayment ? paymentId : null,
    provider: null,
    findingKey: `escrow_payout_failed ${milestoneId} ${partyId} ${paymentId}`,
    ...exceptionTexts(partyId, failureCode),
  }),
]

/**
 * Publishes the state after the shares were given up. A fully disbursed milestone is reopened, since a payout came
 * back.
 */
async function publishFailure(
  tx: Tx,
  orgId: string,
  ids: { escrowId: string; milestoneId: string },
  at: Date,
): Promise<void> {
  const given = { ...milestoneOf(await openEscrow(tx, orgId, ids.escrowId), ids.milestoneId), updatedAt: at }
  const reopened =
    given.status === 'disbursed'
      ? await changeMilestone(tx, given, { ...given, status: 'disbursing', disbursedAt: null })
      : given
  // Both events are of one change, so the second carries the number of the first.
  const milestone = { ...reopened, eventCount: given.eventCount }
  await publishMilestoneEvent(tx, milestone, 'escrow.disbursement_failed', reopened.status)
}

async function finish(tx: Tx, milestone: Milestone, at: Date): Promise<void> {
  if (milestone.status !== 'disbursing' || milestone.shares.some(({ state }) => state !== 'paid')) return
  await changeMilestone(tx, milestone, { ...milestone, status: 'disbursed', disbursedAt: at, updatedAt: at })
}
