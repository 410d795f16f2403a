import { beforeEach, describe, expect, it } from 'vitest'
import { isRowNotPending } from '../../../kernel/db/errors.ts'
import { untilLockAwaited } from '../../../../test/app/test-database.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { beginRow, lockBatch, selectUnsentSums } from './store.ts'
import { nairaRows, openBatches, type BatchOrg } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
let org: BatchOrg
beforeEach(async () => {
  org = await openBatches(t)
})

const setStatus = (batchId: string, status: string) =>
  t.owner.query('update payout_batches set status = $2 where batch_id = $1', [batchId, status])
const statement = async (batchId: string, rowNo = 1) => {
  const { rows } = await t.owner.query<{ payment_id: string }>(
    'select payment_id from payout_batch_rows where batch_id = $1 and row_no = $2',
    [batchId, rowNo],
  )
  return beginRow(org.orgId, batchId, { rowNo, paymentId: rows[0]?.payment_id ?? '', at: new Date() })
}
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
