import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { startTestApp, type Json, type TestApp } from '../../testing/test-app.ts'
import { createTestClock } from '../../testing/test-payments.ts'
import { answer, startTestReceiver, type TestReceiver } from '../../testing/test-receiver.ts'
import { openWebhooks, transactionData, type OrgWebhooks } from '../../testing/test-webhooks.ts'

const clock = createTestClock()
let t: TestApp
let receiver: TestReceiver
let org: OrgWebhooks
let id: string
beforeAll(async () => {
  t = await startTestApp({ clock })
  receiver = await startTestReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await t.close()
})
beforeEach(async () => {
  receiver.behave = answer(200)
  receiver.received = []
  org = await openWebhooks(t)
  id = (await org.register(`${receiver.url}/hook`)).webhook_id
})

/** A delivery that has used up its attempts, by a schedule of one. */
async function deadLetter(webhookId = id): Promise<string> {
  receiver.behave = answer(500)
  const deliveryId = await org.deliverTo(webhookId)
  await org.attempt(deliveryId, { deliveryScheduleMs: [0] })
  receiver.behave = answer(200)
  return deliveryId
}
const ids = (answered: { body: Json }, field: string): string[] =>
  answered.body.data.map((row: Json) => row[field])

describe('200 notify', () => {
  it('sends to every endpoint, whatever it subscribes to, and answers with the deliveries', async () => {
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
    const [{ body }] = receiver.received as [{ body: string }] // one attempt was made
    expect(JSON.parse(body)).toEqual({
      event_id: sent.body.data.event_id,
      event_type: 'transaction.updated',
      org_id: org.orgId,
      created_at: expect.any(String),
      data,
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
  ])('an amount of %d %s goes out as %s', async (amount, currency, digits) => {
    const { event_id: eventId } = await org.notify({ amount, currency })
    const { body } = (await org.call('GET', `/events/${eventId}`)).body.data
    expect(body).toContain(`"amount":${digits},"currency":"${currency}"`)
    expect(JSON.parse(body).data.amount).toBe(amount)
  })

  it('in an organisation without endpoints it makes no delivery and no work for the engine', async () => {
    const own = await openWebhooks(t)
    const before = await t.owner.query('select from outbox where org_id = $1', [own.orgId])
    expect((await own.notify()).deliveries).toEqual([])
    const after = await t.owner.query('select from outbox where org_id = $1', [own.orgId])
    expect(after.rowCount).toBe(before.rowCount)
  })
})

describe('200 test', () => {
  it('goes to the one endpoint, also when it has not subscribed to the type', async () => {
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

  it('takes the type of the event', async () => {
    const { data } = (await org.call('POST', `/${id}/test`, { event_type: 'payment.failed' })).body
    expect((await org.call('GET', `/events/${data.event_id}`)).body.data.event_type).toBe('payment.failed')
  })
})

describe('200 deliveries', () => {
  it('lists what went to one endpoint, newest first, by status and type, in pages', async () => {
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

  it('one delivery shows the exact body and headers that the receiver saw, and its answer', async () => {
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
  it('lists by type, status of a delivery and time, newest first', async () => {
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

  it('one event shows its bytes and where it went', async () => {
    const { event_id: eventId, deliveries } = await org.notify()
    const { data } = (await org.call('GET', `/events/${eventId}`)).body
    expect(JSON.parse(data.body).event_id).toBe(eventId)
    expect(data.deliveries.map((row: Json) => row.delivery_id)).toEqual([deliveries[0].delivery_id])
  })
})

describe('200 replay', () => {
  it('of an event goes to every endpoint that wants it, or to the named one', async () => {
    const { event_id: eventId } = await org.notify()
    const other = await org.register(`${receiver.url}/other`, { events: ['transaction.updated'] })
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    const all = (await org.call('POST', `/events/${eventId}/replay`)).body.data
    expect(all.deliveries.map((row: Json) => row.webhook_id).toSorted()).toEqual(
      [id, other.webhook_id].toSorted(),
    )
    const one = (await org.call('POST', `/events/${eventId}/replay`, { webhook_id: narrow.webhook_id })).body
      .data
    expect(one.deliveries.map((row: Json) => row.webhook_id)).toEqual([narrow.webhook_id])
    await org.attempt(one.deliveries[0].delivery_id)
    expect(receiver.received[0]?.headers['x-service-event-id']).toBe(eventId)
  })

  it('recover sends what an endpoint missed, also from before it existed, and nothing twice', async () => {
    const since = clock.now().toISOString()
    await org.call('DELETE', `/${id}`)
    const missed = [(await org.notify()).event_id, (await org.notify()).event_id]
    const late = await org.register(`${receiver.url}/late`)
    missed.push((await org.notify()).event_id)
    clock.pass(10)
    const recover = async (body: object): Promise<number> =>
      (await org.call('POST', `/${late.webhook_id}/recover`, body)).body.data.replayed
    expect(await recover({ since, until: since })).toBe(0)
    expect(await recover({ since })).toBe(2)
    expect(await recover({ since })).toBe(0)
    const sent = await org.call('GET', `/${late.webhook_id}/deliveries`)
    for (const deliveryId of ids(sent, 'delivery_id')) await org.attempt(deliveryId)
    const arrived = receiver.received.map(({ headers }) => headers['x-service-event-id'])
    expect(arrived.toSorted()).toEqual(missed.toSorted())
  })

  it('recover keeps to the types that the endpoint subscribes to', async () => {
    const since = clock.now().toISOString()
    await org.notify()
    const { event_id: wanted } = (await org.call('POST', `/${id}/test`, { event_type: 'kyb.approved' })).body
      .data
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    clock.pass(10)
    expect((await org.call('POST', `/${narrow.webhook_id}/recover`, { since })).body.data.replayed).toBe(1)
    expect(ids(await org.call('GET', `/${narrow.webhook_id}/deliveries`), 'event_id')).toEqual([wanted])
  })

  it('dead letters are listed, and replayed by filter, once', async () => {
    const other = await org.register(`${receiver.url}/other`)
    const mine = [await deadLetter(), await deadLetter()]
    const theirs = await deadLetter(other.webhook_id)
    const list = async (query = ''): Promise<string[]> =>
      ids(await org.call('GET', `/dead-letters${query}`), 'delivery_id').toSorted()
    expect(await list()).toEqual([...mine, theirs].toSorted())
    expect(await list(`?webhook_id=${other.webhook_id}`)).toEqual([theirs])
    const replay = async (body?: object): Promise<number> =>
      (await org.call('POST', '/dead-letters/replay', body)).body.data.replayed
    expect(await replay({ event_type: 'kyb.approved' })).toBe(0)
    expect(await replay({ since: '2100-01-01T00:00:00Z' })).toBe(0)
    expect(await replay({ webhook_id: id })).toBe(2)
    expect(await list()).toEqual([theirs])
    expect(await replay()).toBe(1)
    expect(await replay()).toBe(0)
    expect(await list()).toEqual([])
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
    for (const field of ['transaction_id', 'status', 'amount', 'currency', 'updated_at']) {
      const { [field]: _left, ...data } = transactionData()
      const sent = await org.call('POST', '/notify', { org_id: org.orgId, transaction_data: data })
      expect(sent.status, field).toBe(400)
    }
    expect((await org.call('POST', `/${id}/recover`, {})).status).toBe(400)
  })
})

describe('403', () => {
  it('nobody notifies in the name of another organisation', async () => {
    const stranger = await openWebhooks(t)
    const body = { org_id: stranger.orgId, transaction_data: transactionData() }
    expect((await org.call('POST', '/notify', body)).status).toBe(403)
  })
})

describe('404', () => {
  it('what is unknown or belongs to another organisation is not found', async () => {
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

describe('409', () => {
  it('nothing is sent to a disabled endpoint, and the answer says what to do', async () => {
    const { event_id: eventId } = await org.notify()
    await t.owner.query(`update webhooks set status = 'disabled' where webhook_id = $1`, [id])
    const answers = await Promise.all([
      org.call('POST', `/${id}/test`),
      org.call('POST', `/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
      org.call('POST', `/events/${eventId}/replay`, { webhook_id: id }),
      org.call('POST', '/dead-letters/replay', { webhook_id: id }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    expect(answers[0]!.body.message).toContain('Set its status to active first')
  })
})
