import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Json } from '../../../../test/app/test-app.ts'
import { useReceiver } from '../../../../test/app/test-receiver.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../test/app/test-webhooks.ts'
import { startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { requeueRemovals } from './requeue-removals.ts'

const t = useApp({ env: { LOG_LEVEL: 'silent' } })
const receiver = useReceiver()
let worker: TestWorker
let org: OrgWebhooks
let webhook: Json

beforeAll(async () => {
  worker = await startTestWorker(t)
})
afterAll(() => worker.stop())
beforeEach(async () => {
  org = await openWebhooks(t)
  webhook = await org.register(`${receiver.url}/${org.orgId}`)
})

const arrived = (): number => receiver.bodiesAt(`/${org.orgId}`).length
const counted = async (table: string, more = ''): Promise<number> => {
  const { rows } = await t.owner.query<{ count: bigint }>(
    `select count(*) from ${table} where org_id = $1 ${more}`,
    [org.orgId],
  )
  return Number(rows[0]!.count)
}

describe('an endpoint that is resumed', () => {
  it('gets the parked deliveries promptly, each once', async () => {
    const path = `/${webhook.webhook_id}`
    await org.call('PATCH', path, { status: 'paused' })
    await Promise.all(Array.from({ length: 20 }, () => org.notify()))
    await until('all to be parked', async () => (await counted('deliveries', 'and is_parked')) === 20)
    expect(arrived()).toBe(0)
    await org.call('PATCH', path, { status: 'active' })
    await until('all to arrive', async () => (await counted('deliveries', `and status = 'succeeded'`)) === 20)
    expect(arrived()).toBe(20)
    expect(new Set(receiver.bodiesAt(`/${org.orgId}`)).size).toBe(20)
  })
})

describe('an endpoint that is deleted', () => {
  const many = 12_000
  const fill = (): Promise<unknown> =>
    t.owner.query(
      `with made as (
         insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type, status)
         select $1, gen_random_uuid(), $2, gen_random_uuid(), 'payment.completed', 'dead'
         from generate_series(1, ${many}) returning org_id, delivery_id)
       insert into delivery_attempts (org_id, delivery_id, attempt_no, request_headers, duration_ms)
       select org_id, delivery_id, 1, '{}', 1 from made`,
      [org.orgId, webhook.webhook_id],
    )

  it('with 12,000 deliveries is hidden at once, and they are deleted in batches', async () => {
    await fill()
    const kept = await org.register(`${receiver.url}/kept`)
    await org.deliverTo(kept.webhook_id)
    expect((await org.call('DELETE', `/${webhook.webhook_id}`)).status).toBe(204)
    await until('its row to be deleted', async () => (await counted('webhooks')) === 1, 30_000)
    expect(await counted('deliveries')).toBe(1)
    await until('the other one to arrive', async () => (await counted('delivery_attempts')) === 1)
  })

  it('is removed after the engine has lost its state', async () => {
    await t.owner.query(`update webhooks set status = 'deleted' where org_id = $1`, [org.orgId])
    expect(await requeueRemovals(t.deps)).toBeGreaterThanOrEqual(1)
    await until('its row to be deleted', async () => (await counted('webhooks')) === 0)
  })
})
