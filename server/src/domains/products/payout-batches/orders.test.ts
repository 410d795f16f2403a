import { beforeEach, describe, expect, it } from 'vitest'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { newId } from '../../../lib/ids.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { refreshRates } from '../../pricing/rates/refresh-rates.ts'
import { advanceBatch } from './advance-batch.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

/** What people's orders about a batch and its rounds leave behind: jobs, audit entries, notices and events. */
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: BatchOrg
beforeEach(async () => {
  await refreshRates(t.deps)
  org = await openBatches(t)
})

const jobsOf = async (batchId: string): Promise<number> => {
  const { rowCount } = await t.owner.query(
    `select from outbox where service = 'PayoutBatches' and payload->>'batchId' = $1`,
    [batchId],
  )
  return rowCount ?? 0
}
const forgetJobs = () => t.owner.query(`delete from outbox where service = 'PayoutBatches'`)
const stored = async (batchId: string): Promise<Json> =>
  (await t.owner.query('select * from payout_batches where batch_id = $1', [batchId])).rows[0]
const auditOf = async (batchId: string): Promise<Json[]> => {
  const { rows } = await t.owner.query(
    `select action, before, after from audit_log
     where resource_id = $1 and action <> 'payout-batch.create' order by created_at`,
    [batchId],
  )
  return rows
}
const eventsOf = async (batchId: string): Promise<Json[]> => {
  const { rows } = await t.owner.query<{ data: string }>(
    'select data from events where org_id = $1 and resource_id = $2 order by sequence',
    [org.orgId, batchId],
  )
  return rows.map(({ data }) => JSON.parse(data) as Json) // what the webhook's body has
}

describe('an order', () => {
  it('is audited with the status before and after it', async () => {
    const batchId = await org.create(nairaRows(org.banked, 2))
    for (const verb of ['pause', 'resume', 'cancel']) await org.order(batchId, verb)
    expect(await auditOf(batchId)).toMatchObject([
      { action: 'payout-batch.paused', before: { status: 'approved' }, after: { status: 'paused' } },
      { action: 'payout-batch.resumed', before: { status: 'paused' }, after: { status: 'sending' } },
      { action: 'payout-batch.canceled', before: { status: 'sending' }, after: { status: 'canceled' } },
    ])
  })

  it('that starts a batch queues its rounds, and no other does', async () => {
    const batchId = await org.create(nairaRows(org.banked, 2))
    expect(await jobsOf(batchId)).toBe(1)
    await forgetJobs()
    await org.order(batchId, 'pause')
    expect(await jobsOf(batchId)).toBe(0)
    await org.order(batchId, 'resume')
    expect(await jobsOf(batchId)).toBe(1)
    await forgetJobs()
    await org.order(batchId, 'cancel')
    expect(await jobsOf(batchId)).toBe(0)
  })

  it('that approves queues them once both have', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    const batchId = await org.create(nairaRows(org.banked, 2))
    await org.order(batchId, 'approve', org.colleague)
    expect(await jobsOf(batchId)).toBe(0)
    await org.order(batchId, 'approve', org.second)
    expect(await jobsOf(batchId)).toBe(1)
  })

  it('to approve keeps the words of both, and tells the administrators in between', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    const batchId = await org.create(nairaRows(org.banked, 2))
    await t.owner.query('delete from notifications where org_id = $1', [org.orgId])
    const approve = (as: string, comments: string) =>
      t.call('POST', `/v1/payouts/batches/${batchId}/approve`, { as, body: { comments } })
    await approve(org.colleague.token, 'first')
    expect(await stored(batchId)).toMatchObject({
      comments: 'first',
      reviewed_by: org.colleague.userId,
      decided_by: null,
    })
    const told = async () =>
      (await t.owner.query('select user_id from notifications where org_id = $1', [org.orgId])).rows.map(
        ({ user_id }) => user_id,
      )
    expect(await told()).toContain(org.second.userId)
    const before = (await told()).length
    await approve(org.second.token, 'second')
    expect(await stored(batchId)).toMatchObject({ comments: 'second', decided_by: org.second.userId })
    expect(await told()).toHaveLength(before)
  })

  it('to approve is refused beside a colleague who depends on the other', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    const batchId = await org.create(nairaRows(org.banked, 2))
    await org.order(batchId, 'approve', org.colleague)
    const other = await addPerson(t, org.orgId, 'org-admin')
    await t.owner.query(
      `insert into empowerments (org_id, empowerment_id, user_id, empowered_by, is_by_operator)
       values ($1, gen_random_uuid(), $2, $3, false)`,
      [org.orgId, other.userId, org.colleague.userId],
    )
    expect((await org.order(batchId, 'approve', other)).status).toBe(403)
    expect((await org.order(batchId, 'approve', org.second)).status).toBe(200)
  })
})

describe('a batch that is sent', () => {
  it('keeps the time at which its last row was sent, and asks less often the older that is', async () => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    expect(await advanceBatch(t.deps, { orgId: org.orgId, batchId })).toBe(0)
    expect((await stored(batchId)).sent_at).toBeNull()
    expect(await org.advance(batchId)).toBe(1_000)
    const { sent_at: sentAt } = await stored(batchId)
    expect(sentAt).not.toBeNull()
    clock.pass(20_000)
    try {
      expect(await org.advance(batchId)).toBeGreaterThanOrEqual(20_000)
      expect((await stored(batchId)).sent_at).toEqual(sentAt)
      await t.simulator.settle()
      expect(await org.advance(batchId)).toBeUndefined()
      expect(await stored(batchId)).toMatchObject({ status: 'completed', sent_at: sentAt })
    } finally {
      clock.pass(-20_000)
    }
  })

  it('tells the organisation that it was paused, and that it is complete, with what became of its rows', async () => {
    org = await openBatches(t, 250n)
    const batchId = await org.create(nairaRows(org.banked, 3))
    await org.advance(batchId)
    await seedFunds(t.deps, org.orgId, 1000n)
    await org.order(batchId, 'resume')
    await org.advance(batchId)
    await t.simulator.settle()
    await org.advance(batchId)
    expect(await eventsOf(batchId)).toMatchObject([
      {
        batch_id: batchId,
        status: 'paused',
        row_count: 3,
        sequence: 1,
        pause: { code: 'INSUFFICIENT_FUNDS' },
        progress: { in_progress: 2, pending: 1, completed: 0 },
      },
      {
        batch_id: batchId,
        status: 'completed',
        sequence: 2,
        pause: null,
        progress: { in_progress: 0, pending: 0, completed: 3 },
        totals: [{ currency: 'NGN', rows: 3, amount: 301.5 }],
      },
    ])
  })

  it('is left alone if it does not exist', async () => {
    expect(await advanceBatch(t.deps, { orgId: org.orgId, batchId: newId() })).toBeUndefined()
  })
})

describe('the daily sum', () => {
  it('counts batches of other currencies by their value, and is reached by exactly its amount', async () => {
    const needed = async (rows: Json[]): Promise<boolean> => (await org.dryRun(rows)).needs_approval
    await org.setPolicy({ currency: 'NGN', payout_from: 100_000, daily_from: 1005 })
    expect(await needed(nairaRows(org.banked, 9))).toBe(false)
    expect(await needed(nairaRows(org.banked, 10))).toBe(true)
    await org.setPolicy({ currency: 'USD', payout_from: 100_000, daily_from: 5 })
    expect(await needed(nairaRows(org.banked, 1))).toBe(false)
    const mobile = { client_reference: 'm', beneficiary_id: org.mobile, amount: 100_000, currency: 'UGX' }
    expect(await needed([mobile])).toBe(true)
  })

  it('is counted with batches that are paused', async () => {
    await org.setPolicy({ currency: 'NGN', payout_from: 100_000, daily_from: 1000 })
    const batchId = await org.create(nairaRows(org.banked, 3))
    await org.order(batchId, 'pause')
    expect((await org.dryRun(nairaRows(org.banked, 9))).needs_approval).toBe(true)
    expect((await org.dryRun(nairaRows(org.banked, 6))).needs_approval).toBe(false)
  })
})
