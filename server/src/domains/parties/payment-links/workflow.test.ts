import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import { recurringJobs, requeueWork } from '../../../main/services.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  createTestClock,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { expireLinks } from './expire-links.ts'

const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ clock })
let org: OrgPayments
let worker: TestWorker
beforeAll(async () => {
  worker = await startTestWorker(t)
})
beforeEach(async () => {
  org = await openPayments(t)
})
afterAll(() => worker.stop())

const make = async (lifetimeMs: number): Promise<Json> => {
  const expires_at = new Date(clock.now().getTime() + lifetimeMs).toISOString()
  const body = { amount: 25, currency: 'GBP', expires_at }
  return (await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, body)).body.data
}
const stored = async (linkId: string): Promise<{ status: string; version: number }> =>
  (await t.owner.query('select status, version from payment_links where link_id = $1', [linkId])).rows[0]
const isExpired = async (linkId: string): Promise<boolean> => (await stored(linkId)).status === 'expired'

it('the engine expires the links that are due, and no others', async () => {
  const [due, later] = [await make(hourMs), await make(10 * hourMs)]
  clock.pass(2 * hourMs)
  const job = recurringJobs.find(({ service }) => service === 'PaymentLinks')
  await t.deps.db.inOrg(org.orgId, (tx) =>
    enqueue(tx, org.orgId, { service: '', handler: '', ...job, payload: {} }),
  )
  await until('the link to expire', () => isExpired(due.link_id))
  expect(await stored(due.link_id)).toEqual({ status: 'expired', version: 2 })
  expect(await stored(later.link_id)).toEqual({ status: 'active', version: 1 })
})

it('a link that a payment is writing to is left to the next run', async () => {
  const { link_id: linkId } = await make(hourMs)
  clock.pass(2 * hourMs)
  const payer = await t.owner.connect()
  try {
    await payer.query('begin')
    await payer.query('select from payment_links where link_id = $1 for update', [linkId])
    expect(await expireLinks(t.deps)).toBe(0)
  } finally {
    await payer.query('rollback')
    payer.release()
  }
  expect(await expireLinks(t.deps)).toBe(1)
  expect(await expireLinks(t.deps)).toBe(0)
})

it('a rebuild adds nothing to the outbox for an active link', async () => {
  await make(hourMs)
  for (const requeue of Object.values(requeueWork)) await requeue(t.deps)
  const jobs = await t.owner.query(`select from outbox where org_id = $1 and service = 'PaymentLinks'`, [
    org.orgId,
  ])
  expect(jobs.rowCount).toBe(0)
})
