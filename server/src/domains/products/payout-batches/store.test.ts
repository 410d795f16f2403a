import { beforeEach, describe, expect, it } from 'vitest'
import { isRowNotPending } from '../../../kernel/db/errors.ts'
import { untilLockAwaited } from '../../../../test/app/test-database.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { beginRow, failRow, lockBatch, selectSentPaymentIds, selectUnsentSums } from './store.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
let org: BatchOrg
beforeEach(async () => {
  org = await openBatches(t)
})

const setStatus = (batchId: string, status: string) =>
  t.owner.query('update payout_batches set status = $2 where batch_id = $1', [batchId, status])
const paymentIdOf = async (batchId: string, rowNo: number): Promise<string> => {
  const { rows } = await t.owner.query<{ payment_id: string }>(
    'select payment_id from payout_batch_rows where batch_id = $1 and row_no = $2',
    [batchId, rowNo],
  )
  return rows[0]?.payment_id ?? ''
}
const statement = async (batchId: string, rowNo = 1) =>
  beginRow(org.orgId, batchId, { rowNo, paymentId: await paymentIdOf(batchId, rowNo), at: new Date() })
const begin = async (batchId: string) => {
  const query = await statement(batchId)
  return t.deps.db.batchInOrg(org.orgId, [query])
}
const statesOf = async (batchId: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ state: string }>(
    'select state from payout_batch_rows where batch_id = $1 order by row_no',
    [batchId],
  )
  return rows.map(({ state }) => state)
}

describe('a row that is begun', () => {
  it('is sent, and no other row is', async () => {
    const batchId = await org.create(nairaRows(org.banked, 3))
    await setStatus(batchId, 'sending')
    await begin(batchId)
    expect(await statesOf(batchId)).toEqual(['sent', 'pending', 'pending'])
    await expect(begin(batchId)).rejects.toSatisfy(isRowNotPending)
  })

  it('has a payment, and no other row has one yet', async () => {
    const batchId = await org.create(nairaRows(org.banked, 2))
    const begun = () => t.deps.db.inOrg(org.orgId, (tx) => selectSentPaymentIds(tx, org.orgId, batchId))
    await setStatus(batchId, 'sending')
    expect(await begun()).toEqual([])
    await begin(batchId)
    expect(await begun()).toEqual([await paymentIdOf(batchId, 1)])
  })

  it.each(['approved', 'paused', 'canceled'])('stays pending while its batch is %s', async (status) => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    await setStatus(batchId, status)
    await expect(begin(batchId)).rejects.toSatisfy(isRowNotPending)
    expect(await statesOf(batchId)).toEqual(['pending'])
  })

  it('makes whoever pauses or cancels the batch wait until it is written', async () => {
    const batchId = await org.create(nairaRows(org.banked, 1))
    await setStatus(batchId, 'sending')
    const query = await statement(batchId)
    const order: string[] = []
    const locked = await t.deps.db.inOrg(org.orgId, async ({ db }) => {
      await db.executeQuery(query)
      const lock = t.deps.db.inOrg(org.orgId, async (tx) => {
        await lockBatch(tx, org.orgId, batchId)
        order.push('locked')
      })
      await untilLockAwaited(t.owner)
      order.push('begun')
      return { lock }
    })
    await locked.lock
    expect(order).toEqual(['begun', 'locked'])
  })
})

it('what is not sent yet counts in approved, sending and paused batches, and in no others', async () => {
  const batchId = await org.create(nairaRows(org.banked, 3))
  const [one] = nairaRows(org.banked, 1)
  const sums = () => t.deps.db.inOrg(org.orgId, (tx) => selectUnsentSums(tx, org.orgId))
  const whole = [{ currency: 'NGN', amountMinor: BigInt(Number(one?.amount) * 3 * 100) }]
  for (const status of ['approved', 'sending', 'paused']) {
    await setStatus(batchId, status)
    expect([status, await sums()]).toEqual([status, whole])
  }
  for (const status of ['awaiting_approval', 'rejected', 'canceled']) {
    await setStatus(batchId, status)
    expect([status, await sums()]).toEqual([status, []])
  }
  await setStatus(batchId, 'sending')
  await begin(batchId)
  expect(await sums()).toMatchObject([{ amountMinor: ((whole[0]?.amountMinor ?? 0n) / 3n) * 2n }])
})

describe('another batch of the organisation', () => {
  const pendingOf = async (batchId: string): Promise<number> => (await org.batch(batchId)).progress.pending
  let one: string
  let other: string
  beforeEach(async () => {
    one = await org.create(nairaRows(org.banked, 3, { description: 'one' }))
    other = await org.create(nairaRows(org.banked, 2, { description: 'other' }))
  })

  it('is read with its own rows, in whatever page', async () => {
    for (const [batchId, count] of [
      [one, 3],
      [other, 2],
    ] as const) {
      expect(await org.batch(batchId)).toMatchObject({ batch_id: batchId, row_count: count })
      expect(await org.rows(batchId)).toHaveLength(count)
      expect(await pendingOf(batchId)).toBe(count)
    }
    const list = async (after: string) => {
      const { body } = await org.call('GET', `/v1/payouts/batches?limit=1${after}`)
      return { id: body.data[0]?.batch_id, key: body.meta.last_evaluated_key }
    }
    const first = await list('')
    const second = await list(`&last_evaluated_key=${encodeURIComponent(first.key)}`)
    expect([first.id, second.id]).toEqual([other, one])
  })

  it('is neither paused nor canceled with one', async () => {
    await org.order(one, 'pause')
    expect((await org.batch(other)).status).toBe('approved')
    await org.order(one, 'cancel')
    expect((await org.batch(other)).status).toBe('approved')
    expect([await statesOf(one), await statesOf(other)]).toEqual([
      ['canceled', 'canceled', 'canceled'],
      ['pending', 'pending'],
    ])
  })

  it('is not sent with one, and not counted with it', async () => {
    await org.advance(other)
    expect(await org.batch(other)).toMatchObject({ progress: { in_progress: 2, pending: 0 } })
    expect(await org.batch(one)).toMatchObject({
      status: 'approved',
      progress: { in_progress: 0, pending: 3 },
    })
    expect(await statesOf(one)).toEqual(['pending', 'pending', 'pending'])
  })

  it('keeps its rows when a row of one fails', async () => {
    const failure = { code: 'BENEFICIARY_CHANGED', message: 'It has changed.' }
    await t.deps.db.batchInOrg(org.orgId, [failRow(org.orgId, one, { rowNo: 1, failure, at: new Date() })])
    expect([await statesOf(one), await statesOf(other)]).toEqual([
      ['failed', 'pending', 'pending'],
      ['pending', 'pending'],
    ])
    await setStatus(other, 'sending')
    await begin(other)
    await t.deps.db.batchInOrg(org.orgId, [failRow(org.orgId, other, { rowNo: 1, failure, at: new Date() })])
    expect(await statesOf(other)).toEqual(['sent', 'pending'])
  })
})
