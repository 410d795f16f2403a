import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../testing/test-app.ts'
import { openPayments, usePayments, type OrgPayments } from '../../testing/test-payments.ts'
import { until } from '../../testing/test-relay.ts'
import { startTestWorker, type TestWorker } from '../../testing/test-worker.ts'
import { requeueLinks } from './requeue-links.ts'

const t = usePayments()
let org: OrgPayments
let worker: TestWorker
beforeAll(async () => {
  org = await openPayments(t)
  worker = await startTestWorker(t)
})
afterAll(() => worker.stop())

const make = async (lifetimeMs: number): Promise<Json> => {
  const expires_at = new Date(Date.now() + lifetimeMs).toISOString()
  const body = { amount: 25, currency: 'GBP', expires_at }
  return (await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, body)).body.data
}
const storedStatus = async (linkId: string): Promise<string> =>
  (await t.owner.query('select status from payment_links where link_id = $1', [linkId])).rows[0].status
const untilExpired = (linkId: string): Promise<boolean> =>
  until('the link to expire', async () => (await storedStatus(linkId)) === 'expired')

it('the engine expires a link on time', async () => {
  const link = await make(1_500)
  expect(await storedStatus(link.link_id)).toBe('active')
  await untilExpired(link.link_id)
})

it('a rebuild requeues every active link for an engine that lost its state', async () => {
  const link = await make(2_000)
  await t.owner.query('delete from outbox where outbox_id = $1', [link.link_id])
  expect(await requeueLinks(t.deps)).toBe(1)
  await untilExpired(link.link_id)
  expect(await requeueLinks(t.deps)).toBe(0)
})
