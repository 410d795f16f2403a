import { listDueParties, payShare } from '../../src/domains/products/escrow/disbursements/pay-share.ts'
import { advanceDisbursement } from '../../src/domains/products/escrow/disbursements/advance-disbursement.ts'
import type { Json } from '../app/test-app.ts'
import { openEscrow, percent } from './test-escrow.ts'
import type { TestPayments } from './test-payments.ts'

interface DisbursementIds {
  orgId: string
  milestoneId: string
}

/** One run of the workflow: pays the parties that are due and polls their payouts. Returns when to poll next. */
export async function runDisbursement(t: TestPayments, ids: DisbursementIds): Promise<number | undefined> {
  for (const partyId of await listDueParties(t.deps, ids)) await payShare(t.deps, { ...ids, partyId })
  return advanceDisbursement(t.deps, ids)
}

/** An escrow whose only milestone is disbursed. */
export async function openDisbursed(t: TestPayments): Promise<void> {
  const escrow = await openEscrow(t)
  const { milestone_id: milestoneId } = await escrow.milestone(10, [
    percent(await escrow.accountParty(), 100),
  ])
  await escrow.fund(10)
  await escrow.approve(milestoneId)
  await escrow.disburse(milestoneId)
  await runDisbursement(t, { orgId: escrow.org.orgId, milestoneId })
}

/** `party: status amount` of each disbursement. */
export const statesOf = (milestone: Json): Record<string, string> =>
  Object.fromEntries(
    milestone.disbursements.map((one: Json) => [one.party_id, `${one.status} ${one.amount}`]),
  )

export const escrowEvents = async (t: TestPayments, milestoneId: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ event_type: string; data: string }>(
    'select event_type, data from events where resource_id = $1 order by sequence',
    [milestoneId],
  )
  return rows.map(({ event_type, data }) => `${event_type} ${JSON.parse(data).status}`)
}
