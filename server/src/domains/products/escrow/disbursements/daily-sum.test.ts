import { afterAll, beforeEach, expect, it } from 'vitest'
import { addPerson } from '../../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import { runDisbursement } from '../../../../../test/worlds/test-disbursement.ts'
import { openEscrow, percent, type TestEscrow } from '../../../../../test/worlds/test-escrow.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

/** Four eyes for the sum of a day: small disbursements must not pass one by one what needs approval together. */
let escrow: TestEscrow
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  escrow = await openEscrow(t)
  const policies = [{ currency: 'NGN', payout_from: 1_000, daily_from: 150 }]
  const path = `/v1/organizations/${escrow.org.orgId}/approval-policies`
  const answer = await escrow.org.call('PUT', path, { policies })
  if (answer.status !== 200) throw new Error(`the policy was refused: ${answer.text}`)
})

/** Disburses a milestone of 100 NGN to one outside account, and returns its payout. */
async function disburse(): Promise<string> {
  const { milestone_id: milestoneId } = await escrow.milestone(100, [
    percent(await escrow.payoutParty(), 100),
  ])
  expect((await escrow.fund(100)).status).toBe(200)
  await escrow.approve(milestoneId)
  await escrow.disburse(milestoneId)
  await runDisbursement(t, { orgId: escrow.org.orgId, milestoneId })
  const [{ transaction_id }] = (await escrow.readMilestone(milestoneId)).disbursements
  return transaction_id
}
const statusOf = async (id: string): Promise<string> => (await escrow.org.record(id)).status

it('the disbursement that reaches the sum of the day waits for two people, the one before does not', async () => {
  const first = await disburse()
  expect(await statusOf(first)).not.toBe('initiated')
  const second = await disburse()
  expect(await statusOf(second)).toBe('initiated')
  const log = t.simulator.log().map(({ reference }) => reference)
  expect(await escrow.org.attempts(second)).toEqual([])
  expect(log.length).toBeGreaterThan(0)
  for (const role of ['org-admin', 'org-admin'] as const) {
    const { token } = await addPerson(t, escrow.org.orgId, role)
    const review = await t.call('POST', `/v1/payments/${second}/review`, {
      as: token,
      body: { decision: 'approve', comments: 'Both.' },
    })
    expect(review.status).toBe(200)
  }
  await escrow.org.advance(second)
  expect(await escrow.org.attempts(second)).toHaveLength(1)
})

it('a day later the sum begins anew', async () => {
  await disburse()
  clock.pass(25 * 60 * 60_000)
  expect(await statusOf(await disburse())).not.toBe('initiated')
})
