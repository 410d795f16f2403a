import { runStatements } from '../../../db/database.ts'
import { isShareNotPending } from '../../../db/errors.ts'
import { AppError } from '../../../lib/errors.ts'
import { formatMinor } from '../../../lib/money.ts'
import { getAccount } from '../../virtual-accounts/get-account.ts'
import { asRefusal, notActive } from '../../virtual-accounts/transactions/errors.ts'
import { moveMoney } from '../../virtual-accounts/transactions/move-money.ts'
import { payOut, type PayOutDeps } from '../../virtual-accounts/transactions/pay-out.ts'
import { paidLate } from './errors.ts'
import { callerOf } from './store-order-caller.ts'
import { failPendingShare, payPendingShare, selectDueShares, type DueShare } from './store.ts'

export interface DisbursementIds {
  orgId: string
  milestoneId: string
}

export const listDueParties = async (
  deps: Pick<PayOutDeps, 'db' | 'clock'>,
  ids: DisbursementIds,
): Promise<string[]> => (await dueShares(deps, ids)).map(({ partyId }) => partyId)

const dueShares = (deps: Pick<PayOutDeps, 'db' | 'clock'>, { orgId, milestoneId }: DisbursementIds) =>
  deps.db.inOrg(orgId, (tx) => selectDueShares(tx, orgId, { milestoneId, now: deps.clock.now() }))

/**
 * Pays one party, once however often it is called: the payout or transfer has an id that was written before, and the
 * share says when it has begun. What is refused before it begins is a try that failed.
 */
export async function payShare(
  deps: PayOutDeps,
  { partyId, ...ids }: DisbursementIds & { partyId: string },
): Promise<void> {
  const share = (await dueShares(deps, ids)).find((one) => one.partyId === partyId)
  if (!share) return
  try {
    if (share.isPaidLate) throw paidLate()
    if (share.beneficiaryId === null) await transferShare(deps, share)
    else await payOutShare(deps, share, share.beneficiaryId)
  } catch (error) {
    // Another process has paid the share, or has begun to.
    if (isShareNotPending(error)) return
    if (!(error instanceof AppError) || error.status === 503) throw error
    const failure = { code: error.code, message: error.message }
    await deps.db.batchInOrg(ids.orgId, [
      failPendingShare(ids.orgId, share.paymentId, { failure, at: deps.clock.now() }),
    ])
  }
}

async function transferShare(deps: PayOutDeps, share: DueShare): Promise<void> {
  const { orgId, paymentId, amountMinor, currency } = share
  const accountId = share.accountId ?? ''
  const account = await getAccount(deps, orgId, { accountId })
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
  const account = { accountId: share.escrowAccountId, currency: share.currency }
  await payOut(deps, callerOf(share.orgId, share.orderedBy), account, {
    paymentId: share.paymentId,
    beneficiaryId,
    amount: Number(formatMinor(share.amountMinor, share.currency)),
    description: share.description,
    reference: null,
    metadata: { escrow_id: share.escrowId, milestone_id: share.milestoneId, party_id: share.partyId },
  })
}
