import { runStatements, timeIn } from '../../../../kernel/db/database.ts'
import { isShareNotPending } from '../../../../kernel/db/errors.ts'
import { enqueueStatement } from '../../../../kernel/engine/outbox.ts'
import { AppError } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { exactAmount } from '../../../../lib/money/decimal-input.ts'
import { listPaymentStatuses } from '../../../payments/reads/reads.ts'
import { isHeldBack } from '../../../compliance/suspensions/errors.ts'
import { getAccount } from '../../virtual-accounts/reads.ts'
import { asRefusal, notActive, otherCustody } from '../../virtual-accounts/transactions/errors.ts'
import { moveMoney } from '../../virtual-accounts/transactions/move-money.ts'
import { payOut, type PayOutDeps } from '../../virtual-accounts/transactions/pay-out.ts'
import { isPaidLate } from '../milestones/rules.ts'
import { paidLate } from './errors.ts'
import type { DueShare, DisbursementIds } from './record.ts'
import { callerOf } from './restore-caller.ts'
import { failPendingShare, payPendingShare, selectDueShares } from './store.ts'

export const listDueParties = async (deps: Pick<PayOutDeps, 'db'>, ids: DisbursementIds): Promise<string[]> =>
  (await dueShares(deps, ids)).map(({ partyId }) => partyId)

function dueShares(deps: Pick<PayOutDeps, 'db'>, ids: DisbursementIds): Promise<DueShare[]> {
  const { orgId, milestoneId } = ids
  return deps.db.inOrg(orgId, async (tx) => {
    const shares = await selectDueShares(tx, orgId, { milestoneId, now: await timeIn(tx) })
    const paymentIds = shares.flatMap(({ triedPaymentIds }) => triedPaymentIds)
    const statuses = await listPaymentStatuses(tx, orgId, paymentIds)
    return shares.map((share) => ({ ...share, isPaidLate: isPaidLate(share, statuses) }))
  })
}

/**
 * Pays one party; safe to repeat, because the payment id is stored beforehand and the share's state shows whether it
 * has started. A refusal before the start counts as a failed attempt; what a suspension holds back stays pending.
 */
export async function payShare(
  deps: PayOutDeps,
  { partyId, ...ids }: DisbursementIds & { partyId: string },
): Promise<'held_back' | 'done'> {
  const share = (await dueShares(deps, ids)).find((one) => one.partyId === partyId)
  if (!share) return 'done'
  try {
    if (share.isPaidLate) throw paidLate()
    if (share.beneficiaryId === null) await transferShare(deps, share)
    else await payOutShare(deps, share, share.beneficiaryId)
  } catch (error) {
    // Another process has paid the share, or has begun to.
    if (isShareNotPending(error)) return 'done'
    if (isHeldBack(error)) return 'held_back'
    if (!(error instanceof AppError) || error.status === 503) throw error
    const failure = { code: error.code, message: error.message }
    await deps.db.batchInOrg(ids.orgId, [
      failPendingShare(ids.orgId, share.paymentId, { failure, at: deps.clock.now() }),
    ])
  }
  return 'done'
}

/** A job of its own, because a suspension may last for days and a job replays all of its steps whenever it wakes up. */
export async function payLater(deps: PayOutDeps, ids: DisbursementIds): Promise<void> {
  const due = { inMs: deps.pollSchedule.suspendedMs }
  const job = { service: 'Disbursements', handler: 'disburse', payload: { ...ids } }
  await deps.db.batchInOrg(ids.orgId, [enqueueStatement(ids.orgId, [{ ...job, outboxId: newId(), due }])])
}

async function transferShare(deps: PayOutDeps, share: DueShare): Promise<void> {
  const { orgId, paymentId, amountMinor, currency } = share
  const accountId = share.accountId ?? ''
  const account = await getAccount(deps, orgId, { accountId })
  const { custody } = await getAccount(deps, orgId, { accountId: share.escrowAccountId })
  if (account.custody !== custody) throw otherCustody()
  if (account.status !== 'active') throw notActive()
  const at = deps.clock.now()
  const work = deps.db.inOrg(orgId, async (tx) => {
    await moveMoney(tx, orgId, {
      moveId: paymentId,
      fromAccountId: share.escrowAccountId,
      toAccountId: accountId,
      amount: { amountMinor, currency },
      description: share.description,
      reference: share.milestoneId,
      at,
    })
    await runStatements(tx, [payPendingShare(orgId, paymentId, at)])
  })
  await work.catch(asRefusal)
}

async function payOutShare(deps: PayOutDeps, share: DueShare, beneficiaryId: string): Promise<void> {
  const account = await getAccount(deps, share.orgId, { accountId: share.escrowAccountId })
  await payOut(deps, callerOf(share.orgId, share.orderedBy), account, {
    paymentId: share.paymentId,
    beneficiaryId,
    amount: exactAmount(share),
    description: share.description,
    reference: null,
    metadata: { escrow_id: share.escrowId, milestone_id: share.milestoneId, party_id: share.partyId },
  })
}
