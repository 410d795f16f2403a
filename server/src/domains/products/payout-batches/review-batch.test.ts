import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, personBody, type Person } from '../../../../test/app/people.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { refreshRates } from '../../pricing/rates/refresh-rates.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
let org: BatchOrg
beforeEach(async () => {
  await refreshRates(t.deps)
  org = await openBatches(t)
})

const needed = async (count: number): Promise<boolean> =>
  (await org.dryRun(nairaRows(org.banked, count))).needs_approval

describe('a batch needs approval', () => {
  it('when its sum reaches the policy, though no row does', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 1000 })
    expect(await needed(9)).toBe(false)
    expect(await needed(10)).toBe(true)
  })

  it('when its sum is converted into the currency of the policy', async () => {
    await org.setPolicy({ currency: 'USD', payout_from: 0.01 })
    expect(await needed(100)).toBe(true)
  })

  it('when it reaches the daily sum together with other payments and other batches', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 100_000, daily_from: 1000 })
    expect(await needed(9)).toBe(false)
    const batchId = await org.create(nairaRows(org.banked, 3))
    expect(await needed(9)).toBe(true)
    expect(await needed(6)).toBe(false)
    await org.advance(batchId)
    expect(await needed(9)).toBe(true)
    expect(await needed(6)).toBe(false)
  })

  it('when its sum, rounded up in the currency of the policy, reaches the daily sum', async () => {
    // 100.50 naira are 10.05 cents.
    await t.owner.query(`update market_rates set per_usd = 1000 where currency = 'NGN'`)
    await org.setPolicy({ currency: 'USD', payout_from: 1000, daily_from: 0.11 })
    expect(await needed(1)).toBe(true)
  })

  it('not when its sum, rounded up, is a cent less than the daily sum', async () => {
    await t.owner.query(`update market_rates set per_usd = 1000 where currency = 'NGN'`)
    await org.setPolicy({ currency: 'USD', payout_from: 1000, daily_from: 0.12 })
    expect(await needed(1)).toBe(false)
  })
})

describe('while no rate values a currency', () => {
  const forgetRate = () =>
    t.owner.query(`update market_rates set as_of = as_of - interval '30 days' where currency = 'UGX'`)
  const createMobile = (): Promise<string> =>
    org.create([{ client_reference: 'm', beneficiary_id: org.mobile, amount: 5000, currency: 'UGX' }])

  it('a batch in it that is not sent yet could be any sum, so another batch needs approval', async () => {
    await createMobile()
    await org.setPolicy({ currency: 'NGN', payout_from: 100_000, daily_from: 100_000 })
    expect(await needed(1)).toBe(false)
    await forgetRate()
    expect(await needed(1)).toBe(true)
  })

  it('a batch that exceeds the daily sum by itself needs approval, whatever was paid in that currency', async () => {
    await org.advance(await createMobile())
    await org.setPolicy({ currency: 'NGN', payout_from: 100_000, daily_from: 100 })
    await forgetRate()
    expect(await needed(1)).toBe(true)
  })
})

describe('approval', () => {
  let batchId: string
  beforeEach(async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 50, daily_from: 60 })
    batchId = await org.create(nairaRows(org.banked, 4))
  })

  it('nothing is sent before it, and the approvers have a notice', async () => {
    expect(await org.batch(batchId)).toMatchObject({ status: 'awaiting_approval' })
    expect(await org.advance(batchId)).toBeUndefined()
    expect((await org.batch(batchId)).progress.pending).toBe(4)
    const { rows } = await t.owner.query(
      `select user_id from notifications where org_id = $1 and template = 'batch-review'`,
      [org.orgId],
    )
    expect(rows.map(({ user_id }) => user_id)).toContain(org.second.userId)
    expect(rows.map(({ user_id }) => user_id)).not.toContain(org.staff.userId)
  })

  it('200: two approvals send all rows, each without a review of its own', async () => {
    const first = await org.order(batchId, 'approve', org.colleague)
    const { userId } = org.colleague
    expect(first.body.data).toMatchObject({
      status: 'awaiting_approval',
      reviewed_by: userId,
      decided_by: null,
    })
    expect(await org.advance(batchId)).toBeUndefined()
    const answer = await org.order(batchId, 'approve', org.second)
    expect(answer.body.data).toMatchObject({ status: 'approved', decided_by: org.second.userId })
    await org.advance(batchId)
    expect(await org.rows(batchId)).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'sent', payment_status: 'processing' })),
    )
    const { rows: audited } = await t.owner.query(
      `select user_id, action from audit_log where resource_id = $1 and action <> 'payout-batch.create' order by created_at`,
      [batchId],
    )
    expect(audited).toEqual([
      { user_id: userId, action: 'payout-batch.approved' },
      { user_id: org.second.userId, action: 'payout-batch.approved' },
    ])
  })

  it('403: the creator, whatever their role, and a member of staff as the second', async () => {
    const created = await org.post(
      { rows: nairaRows(org.banked, 4), allow_duplicate: true },
      { as: org.second.token },
    )
    expect((await org.order(created.body.data.batch_id, 'approve', org.second)).status).toBe(403)
    expect((await org.order(created.body.data.batch_id, 'reject', org.second)).status).toBe(403)
    expect((await org.order(batchId, 'approve')).status).toBe(403)
    const third = await addPerson(t, org.orgId, 'staff')
    await org.order(batchId, 'approve', org.colleague)
    expect((await org.order(batchId, 'approve', third)).status).toBe(403)
    expect(await org.batch(batchId)).toMatchObject({ status: 'awaiting_approval' })
  })

  it('409: approved twice, or resumed instead of approved', async () => {
    for (const verb of ['resume', 'pause']) expect((await org.order(batchId, verb)).status).toBe(409)
    for (const status of [200, 409])
      expect((await org.order(batchId, 'approve', org.second)).status).toBe(status)
    const third = await addPerson(t, org.orgId, 'org-admin')
    expect((await org.order(batchId, 'approve', third)).status).toBe(200)
    expect((await org.order(batchId, 'approve', third)).status).toBe(409)
    expect((await org.order(batchId, 'reject', org.second)).status).toBe(409)
  })

  it('rejected: every row is canceled', async () => {
    const answer = await org.order(batchId, 'reject', org.second)
    expect(answer.body.data).toMatchObject({ status: 'rejected', progress: { canceled: 4 } })
    expect((await org.order(batchId, 'approve', org.second)).status).toBe(409)
  })
})

describe('approvals at the same moment', () => {
  /** Added by the first administrator alone, before there is a policy. */
  const related = async (): Promise<Person> => {
    const { user_id: userId, email, ...names } = personBody()
    const body = { user_id: userId, email, ...names, role: 'org-admin' }
    expect((await org.call('POST', `/v1/organizations/${org.orgId}/members`, body)).status).toBe(201)
    return { userId, email, token: await t.identity.sign({ sub: userId, org_id: org.orgId }) }
  }

  it('by two people who are related count as one', async () => {
    const people = [await related(), await related()]
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    for (let times = 0; times < 8; times++) {
      const batchId = await org.create(nairaRows(org.banked, 4))
      const answers = await Promise.all(people.map((as) => org.order(batchId, 'approve', as)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await org.batch(batchId)).toMatchObject({ status: 'awaiting_approval', decided_by: null })
    }
  })

  it('by two unrelated people: the one who comes second may repeat it', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    const batchId = await org.create(nairaRows(org.banked, 4))
    const people = [org.second, await addPerson(t, org.orgId, 'org-admin')]
    const answers = await Promise.all(people.map((as) => org.order(batchId, 'approve', as)))
    for (const [at, as] of people.entries())
      if (answers[at]?.status === 409) expect((await org.order(batchId, 'approve', as)).status).toBe(200)
    expect(await org.batch(batchId)).toMatchObject({ status: 'approved' })
  })
})
