import type { Tx } from '../../../../kernel/db/database.ts'
import { notFound } from '../../../../lib/errors.ts'
import { listPaymentStatuses } from '../../../payments/reads/reads.ts'
import { findEscrow, lockEscrow } from '../store.ts'
import { isCanceled } from './errors.ts'
import type { Milestone, OpenEscrow } from './record.ts'
import { isPaidLate } from './rules.ts'
import { selectMilestones } from './store.ts'

/** Locks the escrow first, so that concurrent decisions about it run one after the other. */
export async function openEscrow(tx: Tx, orgId: string, escrowId: string): Promise<OpenEscrow> {
  const escrow = await lockEscrow(tx, orgId, escrowId)
  if (!escrow) throw notFound('The escrow')
  return { escrow, milestones: await loadMilestones(tx, orgId, escrowId) }
}

export async function openActiveEscrow(tx: Tx, orgId: string, escrowId: string): Promise<OpenEscrow> {
  const opened = await openEscrow(tx, orgId, escrowId)
  if (opened.escrow.status !== 'active') throw isCanceled()
  return opened
}

/** Takes no lock; for reads. */
export async function readEscrow(tx: Tx, orgId: string, escrowId: string): Promise<OpenEscrow> {
  const escrow = await findEscrow(tx, orgId, escrowId)
  if (!escrow) throw notFound('The escrow')
  return { escrow, milestones: await loadMilestones(tx, orgId, escrowId) }
}

async function loadMilestones(tx: Tx, orgId: string, escrowId: string): Promise<Milestone[]> {
  const stored = await selectMilestones(tx, orgId, escrowId)
  const shares = stored.flatMap((milestone) => milestone.shares)
  const paymentIds = shares.flatMap(({ paymentId, triedPaymentIds }) => [paymentId, ...triedPaymentIds])
  const statuses = await listPaymentStatuses(tx, orgId, paymentIds)
  return stored.map((milestone) => ({
    ...milestone,
    shares: milestone.shares.map((share) => ({
      ...share,
      hasPayment: statuses.has(share.paymentId),
      isPaidLate: isPaidLate(share, statuses),
    })),
  }))
}

export function milestoneOf({ milestones }: OpenEscrow, milestoneId: string): Milestone {
  const found = milestones.find((milestone) => milestone.milestoneId === milestoneId)
  if (!found) throw notFound('The milestone')
  return found
}
