import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { asRefusal } from '../virtual-accounts/transactions/errors.ts'
import { moveMoney } from '../virtual-accounts/transactions/move-money.ts'
import { nothingLeft, disbursementInProgress } from './errors.ts'
import { getEscrow } from './reads.ts'
import { changeMilestone } from './milestones/change-milestone.ts'
import { openEscrow } from './milestones/open-escrow.ts'
import type { Milestone, OpenEscrow } from './milestones/record.ts'
import { canMove } from './milestones/rules.ts'
import { disbursedMinor } from './milestones/schema.ts'
import type { EscrowWithTotals, EscrowDeps } from './record.ts'
import { planReturns } from './rules.ts'
import { addReturn, selectFundings, updateEscrowStatus } from './store.ts'

/**
 * Returns undisbursed money to the accounts that funded it and cancels open milestones. Canceling a canceled escrow
 * again returns money of payouts that came back since.
 */
export async function cancelEscrow(
  deps: EscrowDeps,
  caller: Caller,
  input: { escrowId: string; reason: string | null },
): Promise<EscrowWithTotals> {
  const { orgId } = caller
  const { escrowId } = input
  const at = deps.clock.now()
  const work = deps.db.inOrg(orgId, async (tx) => {
    const opened = await openEscrow(tx, orgId, escrowId)
    const { escrow, milestones } = opened
    if (milestones.some(isInProgress)) throw disbursementInProgress()
    const leftMinor = milestones.reduce((sum, one) => sum + one.coveredMinor - disbursedMinor(one), 0n)
    if (escrow.status === 'canceled' && leftMinor === 0n) throw nothingLeft()
    await returnMoney(tx, opened, leftMinor, at)
    for (const milestone of milestones)
      await changeMilestone(tx, milestone, {
        ...milestone,
        status: canMove(milestone.status, 'canceled') ? 'canceled' : milestone.status,
        coveredMinor: disbursedMinor(milestone),
        updatedAt: at,
      })
    await updateEscrowStatus(tx, orgId, { escrowId, status: 'canceled', at })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.cancel',
      resourceType: 'escrow',
      resourceId: escrowId,
      before: { status: escrow.status },
      after: { status: 'canceled', reason: input.reason, returned_minor: leftMinor.toString() },
    })
  })
  await work.catch(asRefusal)
  return getEscrow(deps, caller, { escrowId })
}

/** In progress until the engine is done: either all shares are paid, or each unpaid one has an exception. */
const isInProgress = ({ status, shares }: Milestone): boolean =>
  shares.some(({ state }) => state !== 'paid' && state !== 'stuck') ||
  (status === 'disbursing' && shares.every(({ state }) => state === 'paid'))

async function returnMoney(tx: Tx, { escrow }: OpenEscrow, leftMinor: bigint, at: Date): Promise<void> {
  const { orgId, escrowId, accountId, currency, name } = escrow
  const fundings = await selectFundings(tx, orgId, escrowId)
  for (const { funding, amountMinor } of planReturns(leftMinor, fundings)) {
    await moveMoney(tx, orgId, {
      moveId: newId(),
      fromAccountId: accountId,
      toAccountId: funding.accountId,
      amount: { amountMinor, currency },
      description: `Returned from escrow: ${name}`,
      reference: funding.fundingId,
      at,
    })
    await addReturn(tx, orgId, { fundingId: funding.fundingId, amountMinor })
  }
}
