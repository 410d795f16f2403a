import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { addPerson } from '../../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  escrowPath,
  fixed,
  openEscrow,
  percent,
  type TestEscrow,
} from '../../../../../test/worlds/test-escrow.ts'
import { untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let escrow: TestEscrow
let ada: Json
let ben: Json
let milestone: Json
beforeAll(async () => {
  escrow = await openEscrow(t)
  ada = await escrow.accountParty()
  ben = await escrow.payoutParty()
})
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  milestone = await escrow.milestone(1000, [percent(ada, 40), percent(ben, 60)])
})

const put = (body: Json, as = escrow.org.credential): Promise<CallAnswer> =>
  t.call('PUT', `${escrowPath}/${escrow.escrowId}/milestones/${milestone.milestone_id}/parties`, { as, body })
const splitsOf = ({ parties }: Json): Json =>
  Object.fromEntries(parties.map((one: Json) => [one.party_id, `${one.split_type} ${one.split_value}`]))
const stored = async (): Promise<Json> => splitsOf(await escrow.readMilestone(milestone.milestone_id))

describe('200', () => {
  it('the wrapper updates several parties and returns the milestone with every field of the spec', async () => {
    const answer = await put({ parties: [percent(ada, 25.5), percent(ben, 74.5)] })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        milestone_id: milestone.milestone_id,
        escrow_id: escrow.escrowId,
        label: 'Foundations',
        sequence: expect.any(Number),
        expected_disbursement: 1000,
        currency: 'NGN',
        status: 'pending',
        disbursed_total: 0,
        description: '',
        contract: null,
        parties: [
          { party_id: ada.party_id, split_type: 'percentage', split_value: 25.5 },
          { party_id: ben.party_id, split_type: 'percentage', split_value: 74.5 },
        ],
        disbursements: [],
        funding_status: 'unfunded',
        covered_amount: 0,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    })
    expect(answer.text).toContain('"expected_disbursement":1000.00')
    expect(await stored()).toEqual(splitsOf(answer.body.data))
  })

  it('a single object updates one party and keeps the others', async () => {
    const answer = await put(percent(ada, 10))
    expect(answer.status).toBe(200)
    expect(splitsOf(answer.body.data)).toEqual({
      [ada.party_id]: 'percentage 10',
      [ben.party_id]: 'percentage 60',
    })
  })

  it('a bare array works like the wrapper', async () => {
    const answer = await put([percent(ben, 70), percent(ada, 30)])
    expect(answer.status).toBe(200)
    expect(await stored()).toEqual({ [ada.party_id]: 'percentage 30', [ben.party_id]: 'percentage 70' })
  })

  it('percentages may be below 100 until the disbursement, and exactly 100', async () => {
    expect((await put([percent(ada, 0), percent(ben, 0.000001)])).status).toBe(200)
    expect((await put([percent(ada, 0.000001), percent(ben, 99.999999)])).status).toBe(200)
  })

  it('a given split type replaces the old one, an omitted one keeps it', async () => {
    expect((await put([fixed(ada, 400.25)])).status).toBe(200)
    expect((await put([percent(ada, 999.99)])).status).toBe(200)
    expect(await stored()).toMatchObject({ [ada.party_id]: 'fixed 999.99' })
    expect((await put({ ...percent(ada, 40), split_type: 'percentage' })).status).toBe(200)
    expect(await stored()).toMatchObject({ [ada.party_id]: 'percentage 40' })
  })

  it('a party of the escrow that has no split yet gets one', async () => {
    const zoe = await escrow.accountParty()
    await put(percent(ben, 20))
    expect((await put({ parties: [percent(zoe, 40)] })).status).toBe(200)
    expect(await stored()).toMatchObject({ [zoe.party_id]: 'percentage 40' })
  })

  it('the audit log shows the splits before and after', async () => {
    await put(percent(ada, 11))
    const { rows } = await t.owner.query(
      `select before, after from audit_log where action = 'escrow.milestone.parties' and resource_id = $1`,
      [milestone.milestone_id],
    )
    expect(rows[0].before.parties).toContainEqual({ ...percent(ada, 40), split_type: 'percentage' })
    expect(rows[0].after.parties).toContainEqual({ ...percent(ada, 11), split_type: 'percentage' })
  })
})

describe('400', () => {
  const expectUnchanged = async (body: Json, message: RegExp): Promise<void> => {
    const before = await stored()
    const answer = await put(body)
    expect([answer.status, answer.body.status]).toEqual([400, 'error'])
    expect(answer.body.message).toMatch(message)
    expect(await stored()).toEqual(before)
  }

  it.each<[string, () => Json]>([
    ['no party', () => ({ parties: [] })],
    ['no party in a bare array', () => []],
    ['an object of neither shape', () => ({ party: ada.party_id })],
    ['text for a list', () => ({ parties: 'all' })],
    ['no value', () => ({ parties: [{ party_id: ada.party_id }] })],
    ['a value below zero', () => percent(ada, -1)],
    ['a value in text', () => ({ ...percent(ada, 1), split_value: '1' })],
    ['a party_id that is none', () => ({ party_id: 'ada', split_value: 1 })],
    ['a type that does not exist', () => ({ ...percent(ada, 1), split_type: 'share' })],
  ])('%s', (_name, body) => expectUnchanged(body(), /must|valid|is not a field/))

  it('an unknown party: no update is applied', () =>
    expectUnchanged(
      { parties: [percent(ada, 1), percent({ party_id: newId() }, 1)] },
      /^\S+ is not a party of the escrow/,
    ))

  it("another escrow's party", async () => {
    const other = await openEscrow(t)
    await expectUnchanged([percent(await other.accountParty(), 1)], /is not a party/)
  })

  it('percentages over 100 including the unchanged ones', () =>
    expectUnchanged(percent(ada, 40.000001), /exceed 100/))
  it('a duplicate party', () => expectUnchanged([percent(ada, 1), percent(ada, 2)], /given twice/))
  it('fixed amounts that exceed the milestone', () =>
    expectUnchanged(fixed(ada, 1000.01), /fixed amounts exceed/))
  it('more decimals than the currency has', () => expectUnchanged(fixed(ada, 1.001), /more decimals/))
  it('more than six decimals of a percent', () => expectUnchanged(percent(ada, 1.0000001), /six decimals/))
})

describe('401', () => {
  it('without a credential', async () => {
    const path = `${escrowPath}/${escrow.escrowId}/milestones/${milestone.milestone_id}/parties`
    expect((await t.call('PUT', path, { body: percent(ada, 1) })).status).toBe(401)
  })
})

describe('403', () => {
  it.each(['staff', 'viewer'] as const)('for %s: it needs an org-admin', async (role) => {
    const { token } = await addPerson(t, escrow.org.orgId, role)
    const answer = await put(percent(ada, 1), token)
    expect([answer.status, answer.body.status]).toEqual([403, 'error'])
  })

  it('for an organisation that just lost the feature', async () => {
    const set = (features: string): Promise<unknown> =>
      t.owner.query(`update organizations set features = ${features} where org_id = $1`, [escrow.org.orgId])
    await set(`'{}'`)
    const answer = await put(percent(ada, 1))
    await set(`array['escrow']`)
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('escrow')
  })
})

describe('404', () => {
  const at = (escrowId: string, milestoneId: string, as = escrow.org.credential): Promise<CallAnswer> =>
    t.call('PUT', `${escrowPath}/${escrowId}/milestones/${milestoneId}/parties`, {
      as,
      body: percent(ada, 1),
    })

  it('an unknown escrow, an unknown milestone, a milestone of another escrow', async () => {
    const other = await openEscrow(t)
    expect((await at(newId(), milestone.milestone_id)).body.message).toContain('The escrow')
    expect((await at(escrow.escrowId, newId())).body.message).toContain('The milestone')
    const statuses = [
      await at(newId(), milestone.milestone_id),
      await at(escrow.escrowId, newId()),
      await at(other.escrowId, milestone.milestone_id),
      await at(other.escrowId, milestone.milestone_id, other.org.credential),
      await at(escrow.escrowId, milestone.milestone_id, other.org.credential),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 404, 404])
  })
})

describe('409', () => {
  it.each(['disbursing', 'disbursed', 'canceled'])('the milestone is %s', async (status) => {
    const set = (to: string): Promise<unknown> =>
      t.owner.query('update escrow_milestones set status = $2 where milestone_id = $1', [
        milestone.milestone_id,
        to,
      ])
    await set(status)
    const answer = await put(percent(ada, 1))
    await set('pending')
    expect([answer.status, answer.body.status]).toEqual([409, 'error'])
    expect(answer.body.message).toContain(status)
  })
})
