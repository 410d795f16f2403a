import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { runDisbursement } from '../../../../../test/worlds/test-disbursement.ts'
import { addEscrow, openEscrow, percent, type TestEscrow } from '../../../../../test/worlds/test-escrow.ts'
import { untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

/** Races of each kind; ESCROW_RACES=500 runs a release's number. */
const races = Number(process.env['ESCROW_RACES'] ?? 40)
const perEscrow = 50
const expected = 100

const t = usePayments({ delayMs: untilSettled })
let first: TestEscrow
beforeAll(async () => {
  first = await openEscrow(t, 100 * expected * 10_000)
})
afterAll(() => expectCleanAudit(t))

interface Race {
  escrow: TestEscrow
  milestoneId: string
  parties: [Json, Json]
}

/** Milestones that can be disbursed, up to perEscrow in each escrow. */
async function prepare(count: number): Promise<Race[]> {
  const made: Race[] = []
  while (made.length < count) {
    const escrow = await addEscrow(first.org, first.fundingAccount)
    const parties: Race['parties'] = [await escrow.accountParty(), await escrow.accountParty()]
    const ids: string[] = []
    for (let place = 0; place < Math.min(perEscrow, count - made.length); place++)
      ids.push(
        (await escrow.milestone(expected, [percent(parties[0], 40), percent(parties[1], 60)])).milestone_id,
      )
    expect((await escrow.fund(ids.length * expected)).status).toBe(200)
    for (const milestoneId of ids) await escrow.approve(milestoneId)
    made.push(...ids.map((milestoneId) => ({ escrow, milestoneId, parties })))
  }
  return made
}

const paidOf = async ({ escrow, milestoneId }: Race): Promise<Json> => {
  await runDisbursement(t, { orgId: escrow.org.orgId, milestoneId })
  return escrow.readMilestone(milestoneId)
}
const amountsOf = ({ disbursements }: Json, [ada, ben]: [Json, Json]): number[] =>
  [ada, ben].map(({ party_id }) => disbursements.find((one: Json) => one.party_id === party_id)?.amount)

const limitMs = 600_000

it(
  `two disbursements at the same moment: one wins, the other is 409, ${races} times`,
  { timeout: limitMs },
  async () => {
    for (const race of await prepare(races)) {
      const { escrow, milestoneId, parties } = race
      const answers = await Promise.all([escrow.disburse(milestoneId), escrow.disburse(milestoneId)])
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
      const milestone = await paidOf(race)
      expect(milestone).toMatchObject({ status: 'disbursed', disbursed_total: expected })
      expect(amountsOf(milestone, parties)).toEqual([40, 60])
    }
  },
)

it(
  `a disbursement and an update of its parties: one wins, the other is 409, ${races} times`,
  { timeout: limitMs },
  async () => {
    let updates = 0
    for (const [place, race] of (await prepare(races)).entries()) {
      const { escrow, milestoneId, parties } = race
      // This update makes the percentages differ from 100, so that the later request is refused.
      const update = (): Promise<CallAnswer> =>
        escrow.call('PUT', `/milestones/${milestoneId}/parties`, percent(parties[0], 39))
      const disburse = (): Promise<CallAnswer> => escrow.disburse(milestoneId)
      // Alternates which one is sent first, so that each wins sometimes.
      const isUpdateFirst = place % 2 === 0
      // A disbursement checks more before it takes the lock, so its head start grows from race to race.
      const answers = await Promise.all(
        isUpdateFirst ? [update(), disburse()] : [disburse(), delay(place).then(update)],
      )
      const [updated, disbursed] = isUpdateFirst ? answers : answers.toReversed()
      expect([updated?.status, disbursed?.status].map(Number).sort((a, b) => a - b)).toEqual([200, 409])
      const milestone = await paidOf(race)
      if (updated?.status === 200) {
        updates += 1
        expect(milestone).toMatchObject({ status: 'approved', disbursed_total: 0, disbursements: [] })
      } else expect(amountsOf(milestone, parties)).toEqual([40, 60])
    }
    expect(updates).toBeGreaterThan(0)
    expect(updates).toBeLessThan(races)
  },
)

it(
  'an update that leaves 100 percent: what is paid is what the milestone says in the end',
  { timeout: limitMs },
  async () => {
    for (const race of await prepare(Math.ceil(races / 4))) {
      const { escrow, milestoneId, parties } = race
      const body = [percent(parties[0], 25), percent(parties[1], 75)]
      const update = escrow.call('PUT', `/milestones/${milestoneId}/parties`, body)
      const [updated, disbursed] = await Promise.all([update, escrow.disburse(milestoneId)])
      expect([200, 409]).toContain(updated.status)
      expect(disbursed.status).toBe(200)
      const milestone = await paidOf(race)
      const splits = parties.map(({ party_id }) =>
        milestone.parties.find((one: Json) => one.party_id === party_id),
      )
      expect(amountsOf(milestone, parties)).toEqual(splits.map((one) => one.split_value))
    }
  },
)
