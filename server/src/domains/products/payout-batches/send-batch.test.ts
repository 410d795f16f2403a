import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { unavailable } from '../../../lib/errors.ts'
import { rawNumber } from '../../../lib/text/json.ts'
import { interceptWrites } from '../../../../test/sql/intercept-writes.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { bankBeneficiary, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { advanceBatch } from './advance-batch.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
afterAll(() => expectCleanAudit(t))
let org: BatchOrg
beforeEach(async () => {
  org = await openBatches(t)
})

const events = (batchId: string): Promise<string[]> => org.eventTypes(batchId)
const accepted = () => t.simulator.log().filter(({ kind }) => kind === 'payout').length
describe('sending', () => {
  it('every row becomes one payment, and the batch completes when all have ended', async () => {
    const before = accepted()
    const mobile = { client_reference: 'm', beneficiary_id: org.mobile, amount: 5000, currency: 'UGX' }
    const batchId = await org.create([...nairaRows(org.banked, 20, { description: 'March' }), mobile])
    expect(await org.advance(batchId)).toBeGreaterThan(0)
    expect(accepted() - before).toBe(21)
    expect(await org.batch(batchId)).toMatchObject({
      status: 'sending',
      progress: { in_progress: 21, pending: 0 },
    })
    await t.simulator.settle()
    expect(await org.advance(batchId)).toBeUndefined()
    expect(await org.batch(batchId)).toMatchObject({ status: 'completed', progress: { completed: 21 } })
    const [row] = await org.rows(batchId)
    expect(await org.record(row.payment_id)).toMatchObject({
      status: 'completed',
      client_reference: 'r1',
      description: 'March',
      user_id: org.staff.userId,
      metadata: { batch_id: batchId, batch_row: 1 },
    })
    expect(await events(batchId)).toEqual(['payout_batch.completed'])
  })

  it('an amount that no double holds is paid to the last digit', async () => {
    await seedFunds(t.deps, org.orgId, 1_000_000_000_000_000n)
    const [row] = nairaRows(org.banked, 1)
    const amount = rawNumber('90071992547409.93')
    const batchId = await org.create([{ ...row, amount }])
    await org.advance(batchId)
    const [{ payment_id }] = await org.rows(batchId)
    const { rows } = await t.owner.query('select amount_minor from payments where payment_id = $1', [
      payment_id,
    ])
    expect(rows).toEqual([{ amount_minor: '9007199254740993' }])
  })

  it('concurrent jobs of one batch send each row once', async () => {
    const before = accepted()
    const batchId = await org.create(nairaRows(org.banked, 30))
    await Promise.all(Array.from({ length: 4 }, () => org.advance(batchId)))
    expect(accepted() - before).toBe(30)
  })

  it('a row that another job sends while the answer of this one is lost is sent once', async () => {
    const before = accepted()
    const batchId = await org.create(nairaRows(org.banked, 1))
    let isLost = false
    const stop = interceptWrites(t.deps, {
      async first(commit) {
        if (isLost) return commit()
        isLost = true
        // Nothing of this job's transaction was written; the engine has given it up and started another one.
        await org.advance(batchId)
        throw unavailable('The database is not reachable.', new Error('Connection terminated unexpectedly'))
      },
    })
    await advanceBatch(t.deps, { orgId: org.orgId, batchId }).finally(stop)
    expect(isLost).toBe(true)
    expect(accepted() - before).toBe(1)
  })

  it('a row whose answer is lost after the commit is sent by the job that wrote it', async () => {
    const before = accepted()
    const batchId = await org.create(nairaRows(org.banked, 1))
    let isLost = false
    const stop = interceptWrites(t.deps, {
      async first(commit) {
        const rows = await commit()
        if (isLost) return rows
        isLost = true
        throw unavailable('The database is not reachable.', new Error('Connection terminated unexpectedly'))
      },
    })
    await advanceBatch(t.deps, { orgId: org.orgId, batchId }).finally(stop)
    expect([isLost, accepted() - before]).toEqual([true, 1])
    expect(await org.batch(batchId)).toMatchObject({ progress: { in_progress: 1, pending: 0 } })
  })

  it('a row that is refused fails with its code, and the others are sent', async () => {
    const changed = await org.addBeneficiary(bankBeneficiary())
    const rows = nairaRows(org.banked, 3)
    const batchId = await org.create([
      ...rows,
      { ...rows[0], client_reference: 'x', beneficiary_id: changed },
    ])
    await org.call('PATCH', `/v1/beneficiaries/${changed}`, { email: 'new@example.com' })
    await org.advance(batchId)
    expect(await org.rows(batchId, '&state=failed')).toMatchObject([
      { row: 4, failure_code: 'BENEFICIARY_CHANGED', payment_id: null },
    ])
    expect(await org.batch(batchId)).toMatchObject({ progress: { in_progress: 3, failed: 1 } })
  })

  it('an empty balance pauses the batch; after a deposit it goes on where it stopped', async () => {
    org = await openBatches(t, 250n)
    const before = accepted()
    const batchId = await org.create(nairaRows(org.banked, 5))
    expect(await org.advance(batchId)).toBeUndefined()
    const paused = await org.batch(batchId)
    expect(paused).toMatchObject({ status: 'paused', pause: { code: 'INSUFFICIENT_FUNDS' } })
    expect(paused.progress).toMatchObject({ in_progress: 2, pending: 3, failed: 0 })
    expect(await events(batchId)).toEqual(['payout_batch.paused'])
    await seedFunds(t.deps, org.orgId, 1000n)
    expect((await org.order(batchId, 'resume')).body.data).toMatchObject({ status: 'sending', pause: null })
    await org.advance(batchId)
    expect(accepted() - before).toBe(5)
  })

  it('a batch that nobody had to approve does not exempt its rows from the policies', async () => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    await org.setPolicy({ currency: 'NGN', payout_from: 50 })
    await org.advance(batchId)
    expect(await org.rows(batchId)).toMatchObject([{ state: 'sent', payment_status: 'initiated' }])
  })
})

describe('pause, resume and cancel', () => {
  it('nothing is sent while the batch is paused', async () => {
    const before = accepted()
    const batchId = await org.create(nairaRows(org.banked, 3))
    expect((await org.order(batchId, 'pause')).body.data).toMatchObject({ status: 'paused', pause: null })
    expect(await advanceBatch(t.deps, { orgId: org.orgId, batchId })).toBeUndefined()
    expect(accepted()).toBe(before)
    expect((await org.order(batchId, 'pause')).status).toBe(409)
    expect((await org.order(batchId, 'resume')).status).toBe(200)
    await org.advance(batchId)
    expect(accepted() - before).toBe(3)
  })

  it('a pause in the middle of a round is exact', async () => {
    const batchId = await org.create(nairaRows(org.banked, 60))
    const sending = advanceBatch(t.deps, { orgId: org.orgId, batchId })
    await expect.poll(async () => (await org.batch(batchId)).progress.in_progress).toBeGreaterThan(0)
    const { progress } = (await org.order(batchId, 'pause')).body.data
    await sending
    expect((await org.batch(batchId)).progress).toEqual(progress)
  })

  it('cancel ends what is not sent', async () => {
    const batchId = await org.create(nairaRows(org.banked, 3))
    expect((await org.order(batchId, 'cancel')).body.data).toMatchObject({
      status: 'canceled',
      progress: { canceled: 3, pending: 0 },
    })
    expect(await org.advance(batchId)).toBeUndefined()
    expect(await org.rows(batchId)).toMatchObject([{ state: 'canceled' }, {}, {}])
  })

  it('409 when nothing is left to cancel, or nothing to resume', async () => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    expect((await org.order(batchId, 'resume')).status).toBe(409)
    await org.advance(batchId)
    expect((await org.order(batchId, 'cancel')).status).toBe(409)
  })

  it('403 for a viewer and 404 for a stranger', async () => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    const stranger = await addPerson(t, (await openBatches(t)).orgId, 'org-admin')
    for (const verb of ['pause', 'resume', 'cancel', 'approve', 'reject']) {
      expect((await org.order(batchId, verb, org.viewer)).status).toBe(403)
      expect((await org.order(batchId, verb, stranger)).status).toBe(404)
    }
    for (const path of ['', '/rows', '/results.csv']) {
      const url = `/v1/payouts/batches/${batchId}${path}`
      expect((await t.call('GET', url, { as: org.viewer.token })).status).toBe(200)
      expect((await t.call('GET', url, { as: stranger.token })).status).toBe(404)
    }
  })
})

describe('results', () => {
  it('the CSV has a line for each row, with its payment', async () => {
    const batchId = await org.create(nairaRows(org.banked, 2))
    await org.advance(batchId)
    await t.simulator.settle()
    const { text, headers } = await org.call('GET', `/v1/payouts/batches/${batchId}/results.csv`)
    expect(headers['content-type']).toContain('text/csv')
    const [header, ...lines] = text.trim().split('\r\n')
    expect(header).toContain('row,client_reference,beneficiary_id,amount,currency')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^1,r1,[^,]+,100\.50,NGN,NG,bank_transfer,,sent,[^,]+,completed,paystack/)
  })

  it('lists of batches and rows are paged', async () => {
    const batchId = await org.create(nairaRows(org.banked, 5))
    await org.create(nairaRows(org.banked, 1))
    const list = await org.call('GET', '/v1/payouts/batches?limit=1&status=approved')
    expect(list.body.meta).toMatchObject({ count: 1, last_evaluated_key: expect.any(String) })
    const first = await org.call('GET', `/v1/payouts/batches/${batchId}/rows?limit=3`)
    const rest = `/v1/payouts/batches/${batchId}/rows?limit=3&last_evaluated_key=${first.body.meta.last_evaluated_key}`
    expect((await org.call('GET', rest)).body.data.map(({ row }: Json) => row)).toEqual([4, 5])
  })
})
