import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { isDescribed } from '../../../../../test/contract/event-check.ts'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../../test/worlds/test-payments.ts'
import { answer, useReceiver } from '../../../../../test/app/test-receiver.ts'
import { openWebhooks, transactionData, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import { eventTypes } from '../events.ts'

const clock = createTestClock()
const t = useApp({ clock })
const receiver = useReceiver()
let org: OrgWebhooks
let id: string
beforeEach(async () => {
  receiver.behave = answer(200)
  receiver.received = []
  org = await openWebhooks(t)
  id = (await org.register(`${receiver.url}/hook`)).webhook_id
})

const ids = (answered: { body: Json }, field: string): string[] =>
  answered.body.data.map((row: Json) => row[field])

describe('200 notify', () => {
  it('sends to every endpoint, whatever it subscribes to, and returns the deliveries', async () => {
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    const data = transactionData({ transaction_id: 'T-1' })
    const sent = await org.call('POST', '/notify', { org_id: org.orgId, transaction_data: data })
    expect(sent.status).toBe(200)
    expect(sent.body.data).toEqual({
      event_id: expect.any(String),
      deliveries: [id, narrow.webhook_id].map((webhook_id) => ({
        webhook_id,
        delivery_id: expect.any(String),
        status: 'pending',
      })),
    })
    await org.attempt(sent.body.data.deliveries[0].delivery_id)
    const { body } = receiver.received[0]!
    expect(JSON.parse(body)).toEqual({
      event_id: sent.body.data.event_id,
      event_type: 'transaction.updated',
      org_id: org.orgId,
      created_at: expect.any(String),
      data: expect.objectContaining({ ...data, payment_id: 'T-1', test: true }),
    })
  })

  it.each([
    [1500, 'NGN', '1500.00'],
    [1500.5, 'NGN', '1500.50'],
    [5000, 'UGX', '5000.0'],
    [0.1, 'GBP', '0.10'],
    [3, 'USDC', '3.0'],
    [0.000001, 'USDC', '0.000001'],
    [1.234, 'GBP', '1.234'],
    [-7, 'EUR', '-7.00'],
  ])('an amount of %d %s is sent as %s', async (amount, currency, digits) => {
    const { event_id: eventId } = await org.notify({ amount, currency })
    const { body } = (await org.call('GET', `/events/${eventId}`)).body.data
    expect(body).toContain(`"amount":${digits},"currency":"${currency}"`)
    expect(JSON.parse(body).data.amount).toBe(amount)
  })

  it('creates no delivery and no job in an organisation without endpoints', async () => {
    const own = await openWebhooks(t)
    const before = await t.owner.query('select from outbox where org_id = $1', [own.orgId])
    expect((await own.notify()).deliveries).toEqual([])
    const after = await t.owner.query('select from outbox where org_id = $1', [own.orgId])
    expect(after.rowCount).toBe(before.rowCount)
  })
})

describe('200 test', () => {
  it('goes to the named endpoint, even if it has not subscribed to the type', async () => {
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    const { data } = (await org.call('POST', `/${narrow.webhook_id}/test`)).body
    expect(data.deliveries).toEqual([
      { webhook_id: narrow.webhook_id, delivery_id: expect.any(String), status: 'pending' },
    ])
    await org.attempt(data.deliveries[0].delivery_id)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/narrow'])
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      event_id: data.event_id,
      data: { test: true },
    })
  })

  it.each(eventTypes)('%s has the shape of its type and is marked as a test', async (event_type) => {
    const { data } = (await org.call('POST', `/${id}/test`, { event_type })).body
    const { rows } = await t.owner.query<{ eventType: string; data: string }>(
      'select event_type as "eventType", data from events where event_id = $1',
      [data.event_id],
    )
    expect(rows[0]!.eventType).toBe(event_type)
    expect(JSON.parse(rows[0]!.data)).toMatchObject({ test: true, sequence: 1 })
    expect(rows[0]!.data).not.toBe('{"test":true}')
    expect(isDescribed(rows[0]!)).toBe(true)
  })
})

describe('200 deliveries', () => {
  it('lists the deliveries to an endpoint, newest first, by status and type, in pages', async () => {
    const made = [await org.deliverTo(id), await org.deliverTo(id), await org.deliverTo(id)]
    await org.attempt(made[0]!)
    const all = await org.call('GET', `/${id}/deliveries`)
    expect(ids(all, 'delivery_id').toSorted()).toEqual(made.toSorted())
    const succeeded = await org.call('GET', `/${id}/deliveries?status=succeeded`)
    expect(ids(succeeded, 'delivery_id')).toEqual([made[0]])
    expect(ids(await org.call('GET', `/${id}/deliveries?event_type=kyb.approved`), 'delivery_id')).toEqual([])
    const first = await org.call('GET', `/${id}/deliveries?limit=2`)
    const key = encodeURIComponent(first.body.meta.last_evaluated_key)
    const second = await org.call('GET', `/${id}/deliveries?limit=2&last_evaluated_key=${key}`)
    expect([...ids(first, 'delivery_id'), ...ids(second, 'delivery_id')]).toEqual(ids(all, 'delivery_id'))
    expect(second.body.meta.last_evaluated_key).toBeNull()
  })

  it('a delivery shows the exact body and headers that the receiver saw, and its response', async () => {
    receiver.behave = answer(503, 'come back later')
    const deliveryId = await org.deliverTo(id)
    await org.attempt(deliveryId)
    const delivery = await org.delivery(id, deliveryId)
    const [seen] = receiver.received
    expect(delivery.request_body).toBe(seen!.body)
    expect(delivery.attempt_log).toHaveLength(1)
    expect(delivery.attempt_log[0]).toMatchObject({
      attempt: 1,
      response_status: 503,
      response_body: 'come back later',
      error: null,
    })
    expect(seen!.headers).toMatchObject(delivery.attempt_log[0].request_headers)
    expect(Object.keys(delivery.attempt_log[0].request_headers).toSorted()).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-service-attempt',
      'x-service-event-id',
      'x-service-signature',
      'x-service-timestamp',
    ])
  })
})

describe('200 events', () => {
  it('lists by type, delivery status and time, newest first', async () => {
    const since = clock.now()
    clock.pass(1000)
    const failed = (await org.call('POST', `/${id}/test`, { event_type: 'payment.failed' })).body.data
    clock.pass(1000)
    const until = clock.now()
    clock.pass(1000)
    const notified = await org.notify()
    await org.attempt(notified.deliveries[0].delivery_id)
    const list = async (query = ''): Promise<string[]> =>
      ids(await org.call('GET', `/events${query}`), 'event_id')
    expect(await list()).toEqual([notified.event_id, failed.event_id])
    expect(await list('?event_type=payment.failed')).toEqual([failed.event_id])
    expect(await list('?status=succeeded')).toEqual([notified.event_id])
    expect(await list('?status=pending')).toEqual([failed.event_id])
    expect(await list('?status=dead')).toEqual([])
    expect(await list(`?since=${since.toISOString()}&until=${until.toISOString()}`)).toEqual([
      failed.event_id,
    ])
  })

  it('an event shows its bytes and its deliveries', async () => {
    const { event_id: eventId, deliveries } = await org.notify()
    const { data } = (await org.call('GET', `/events/${eventId}`)).body
    expect(JSON.parse(data.body).event_id).toBe(eventId)
    expect(data.deliveries.map((row: Json) => row.delivery_id)).toEqual([deliveries[0].delivery_id])
  })
})

describe('400', () => {
  it.each([
    ['GET', '/events?status=lost', undefined],
    ['GET', '/events?event_type=nothing', undefined],
    ['GET', '/events?since=yesterday', undefined],
    ['GET', '/events?limit=101', undefined],
    ['GET', '/events?last_evaluated_key=forged', undefined],
    ['GET', '/dead-letters?webhook_id=1', undefined],
    ['POST', '/notify', {}],
    ['POST', '/notify', { transaction_data: transactionData() }],
    ['POST', '/dead-letters/replay', { since: 'yesterday' }],
  ])('%s %s', async (method, path, body) => {
    expect((await org.call(method, path, body)).status).toBe(400)
  })

  it('a notification without its fields, and a recovery without a time', async () => {
    const statuses: number[] = []
    for (const field of ['transaction_id', 'status', 'amount', 'currency', 'updated_at']) {
      const { [field]: _left, ...data } = transactionData()
      const sent = await org.call('POST', '/notify', { org_id: org.orgId, transaction_data: data })
      statuses.push(sent.status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400])
    expect((await org.call('POST', `/${id}/recover`, {})).status).toBe(400)
  })
})

describe('403', () => {
  it('a caller cannot notify on behalf of another organisation', async () => {
    const stranger = await openWebhooks(t)
    const body = { org_id: stranger.orgId, transaction_data: transactionData() }
    expect((await org.call('POST', '/notify', body)).status).toBe(403)
  })
})

describe('404', () => {
  it('resources that are unknown or belong to another organisation', async () => {
    const stranger = await openWebhooks(t)
    const { webhook_id: theirs } = await stranger.register(receiver.url)
    const theirEvent = await stranger.notify()
    const ownDelivery = await org.deliverTo(id)
    for (const [webhookId, eventId] of [
      [newId(), newId()],
      [theirs, theirEvent.event_id],
    ] as const) {
      const answers = await Promise.all([
        org.call('GET', `/${webhookId}/deliveries`),
        org.call('GET', `/${webhookId}/deliveries/${ownDelivery}`),
        org.call('GET', `/${id}/deliveries/${theirEvent.deliveries[0].delivery_id}`),
        org.call('POST', `/${webhookId}/test`),
        org.call('POST', `/${webhookId}/recover`, { since: '2026-01-01T00:00:00Z' }),
        org.call('GET', `/events/${eventId}`),
        org.call('POST', `/events/${eventId}/replay`),
        org.call('GET', `/dead-letters?webhook_id=${webhookId}`),
        org.call('POST', '/dead-letters/replay', { webhook_id: webhookId }),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    }
  })
})
