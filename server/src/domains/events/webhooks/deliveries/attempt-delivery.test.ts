import { beforeEach, describe, expect, it } from 'vitest'
import { singleFlight } from '../../../../lib/flow/single-flight.ts'
import { createTestClock } from '../../../../../test/worlds/test-payments.ts'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { answer, startTestReceiver, type TestReceiver } from '../../../../../test/app/test-receiver.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import { removeDeliveries } from '../remove-deliveries.ts'
import { resumeDeliveries } from '../resume-deliveries.ts'
import type { AttemptEnd } from './record.ts'

const minute = 60_000
const hour = 60 * minute
const clock = createTestClock()

const t = useApp({ clock })
let receiver: TestReceiver
let org: OrgWebhooks
let webhook: Json

beforeEach(async () => {
  receiver = await startTestReceiver()
  org = await openWebhooks(t)
  webhook = await org.register(`${receiver.url}/hook?a=1`)
  return () => receiver.stop()
})

/** Attempts and waits, as the engine does, until the delivery needs no more attempts. */
async function runToEnd(deliveryId: string, chance = 0): Promise<number[]> {
  const waits: number[] = []
  for (;;) {
    const waitMs = await org.attempt(deliveryId, { chance: () => chance })
    if (waitMs === null) return waits
    waits.push(waitMs)
    clock.pass(waitMs)
  }
}

describe('the schedule', () => {
  it('is 0, 1 m, 5 m, 30 m, 2 h, 6 h, 12 h, 24 h, and then the dead-letter queue', async () => {
    receiver.behave = answer(500)
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    expect(await runToEnd(deliveryId)).toEqual([
      minute,
      5 * minute,
      30 * minute,
      2 * hour,
      6 * hour,
      12 * hour,
      24 * hour,
    ])
    expect(receiver.received).toHaveLength(8)
    expect(await org.delivery(webhook.webhook_id, deliveryId)).toMatchObject({
      status: 'dead',
      attempts: 8,
      next_attempt_at: null,
      last_response_status: 500,
    })
    const letters = await org.call('GET', '/dead-letters')
    expect(letters.body.data.map((letter: Json) => letter.delivery_id)).toEqual([deliveryId])
  })

  it('every attempt sends the same bytes under the same id, with its own number', async () => {
    receiver.behave = answer(500)
    await runToEnd(await org.deliverTo(webhook.webhook_id))
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(
      Array.from({ length: 8 }, (_, index) => String(index + 1)),
    )
  })

  it('jitter of up to a tenth is added from the fifth attempt on', async () => {
    receiver.behave = answer(500)
    expect(await runToEnd(await org.deliverTo(webhook.webhook_id), 0.5)).toEqual([
      minute,
      5 * minute,
      30 * minute,
      2.1 * hour,
      6.3 * hour,
      12.6 * hour,
      25.2 * hour,
    ])
  })

  it('nothing is sent before an attempt is due', async () => {
    receiver.behave = answer(500)
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await org.attempt(deliveryId)
    clock.pass(20_000)
    const waitMs = await org.attempt(deliveryId)
    expect(waitMs).toBeGreaterThan(10_000)
    expect(waitMs).toBeLessThanOrEqual(40_000)
    expect(receiver.received).toHaveLength(1)
  })

  it('ends with the first success, after which nothing is sent again', async () => {
    receiver.behave = answer(503)
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    clock.pass((await org.attempt(deliveryId)) ?? 0)
    receiver.behave = answer(204)
    expect(await org.attempt(deliveryId)).toBeNull()
    expect(await org.attempt(deliveryId)).toBeNull()
    expect(receiver.received).toHaveLength(2)
    expect(await org.delivery(webhook.webhook_id, deliveryId)).toMatchObject({
      status: 'succeeded',
      attempts: 2,
    })
  })

  it('a replay of a dead letter arrives with the same event_id and bytes, and empties the queue', async () => {
    receiver.behave = answer(500)
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await runToEnd(deliveryId)
    receiver.behave = answer(200)
    const { event_id: eventId } = await org.delivery(webhook.webhook_id, deliveryId)
    const replay = (await org.call('POST', `/events/${eventId}/replay`)).body.data
    expect(replay.event_id).toBe(eventId)
    expect(await runToEnd(replay.deliveries[0].delivery_id)).toEqual([])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(receiver.received.at(-1)?.headers['x-service-event-id']).toBe(eventId)
    expect((await org.call('GET', '/dead-letters')).body.data).toEqual([])
    expect((await org.delivery(webhook.webhook_id, deliveryId)).status).toBe('replayed')
  })

  it('a repeated call during an attempt shares it and does not send twice', async () => {
    let release = (): void => undefined
    receiver.behave = (response) => (release = () => void response.end())
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    const both = [org.attempt(deliveryId), org.attempt(deliveryId)]
    await until('the call', () => receiver.received.length === 1)
    both.push(org.attempt(deliveryId))
    release()
    expect(await Promise.all(both)).toEqual([null, null, null])
    expect(receiver.received).toHaveLength(1)
  })

  it('two workers with the same delivery record one attempt', async () => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    const another = { shareAttempt: singleFlight<AttemptEnd>() }
    await Promise.all([org.attempt(deliveryId), org.attempt(deliveryId, another)])
    const delivery = await org.delivery(webhook.webhook_id, deliveryId)
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(delivery.attempt_log).toHaveLength(1)
  })
})

describe('the endpoint', () => {
  const failAt = async (): Promise<string> => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await org.attempt(deliveryId)
    return deliveryId
  }
  const statusOf = async (): Promise<string> =>
    (await org.call('GET', `/${webhook.webhook_id}`)).body.data.status
  const mails = async (): Promise<Json[]> => {
    const { rows } = await t.owner.query(
      `select recipient, variables from notifications where org_id = $1 and template = 'webhook-disabled'`,
      [org.orgId],
    )
    return rows
  }

  it('is disabled after five days without a success, and its administrators get one mail', async () => {
    receiver.behave = answer(500)
    const first = await failAt()
    clock.pass(5 * 24 * hour - minute)
    await failAt()
    expect(await statusOf()).toBe('active')
    clock.pass(minute)
    const both = await Promise.all([org.deliverTo(webhook.webhook_id), org.deliverTo(webhook.webhook_id)])
    await Promise.all(both.map((deliveryId) => org.attempt(deliveryId)))
    expect(await statusOf()).toBe('disabled')
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([org.admin.email])
    expect(await org.attempt(first)).toBeNull()
    expect(await org.delivery(webhook.webhook_id, first)).toMatchObject({
      status: 'dead',
      attempts: 1,
      last_response_status: 500,
    })
  })

  it('that had a success within five days remains active', async () => {
    receiver.behave = answer(500)
    await failAt()
    clock.pass(4 * 24 * hour)
    receiver.behave = answer(200)
    await failAt()
    receiver.behave = answer(500)
    clock.pass(2 * 24 * hour)
    await failAt()
    expect(await statusOf()).toBe('active')
    expect(await mails()).toEqual([])
  })

  it('that is disabled gets nothing, and can recover what it has missed when it is active again', async () => {
    receiver.behave = answer(500)
    const since = clock.now()
    await failAt()
    clock.pass(5 * 24 * hour)
    await failAt()
    expect((await org.notify()).deliveries).toEqual([])
    receiver.behave = answer(200)
    await org.call('PATCH', `/${webhook.webhook_id}`, { status: 'active' })
    clock.pass(1)
    const recovered = await org.call('POST', `/${webhook.webhook_id}/recover`, { since: since.toISOString() })
    expect(recovered.body.data.replayed).toBe(1)
  })

  it('that is paused parks its deliveries without a job, and each gets one when it is resumed', async () => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await org.call('PATCH', `/${webhook.webhook_id}`, { status: 'paused' })
    expect(await org.attempt(deliveryId)).toBeNull()
    expect((await org.delivery(webhook.webhook_id, deliveryId)).status).toBe('pending')
    expect(receiver.received).toHaveLength(0)
    await t.owner.query('delete from outbox')
    await org.call('PATCH', `/${webhook.webhook_id}`, { status: 'active' })
    const ids = { orgId: org.orgId, webhookId: webhook.webhook_id }
    expect(await resumeDeliveries(t.deps, ids)).toBe(false)
    await resumeDeliveries(t.deps, ids)
    const jobs = await t.owner.query(`select payload from outbox where service = 'Deliveries'`)
    expect(jobs.rows).toEqual([{ payload: { orgId: org.orgId, deliveryId } }])
    expect(await org.attempt(deliveryId)).toBeNull()
    expect(receiver.received).toHaveLength(1)
  })

  it('that is resumed while a delivery is about to be parked gets it', async () => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await org.call('PATCH', `/${webhook.webhook_id}`, { status: 'paused' })
    const { deliveryRecords } = t.deps
    const resumedMeanwhile: typeof deliveryRecords = {
      ...deliveryRecords,
      async read(orgId, id) {
        const due = await deliveryRecords.read(orgId, id)
        await org.call('PATCH', `/${webhook.webhook_id}`, { status: 'active' })
        return due
      },
    }
    expect(await org.attempt(deliveryId, { deliveryRecords: resumedMeanwhile })).toBe(1_000)
    expect(await org.attempt(deliveryId)).toBeNull()
    expect(receiver.received).toHaveLength(1)
  })

  it('that is deleted gets nothing more', async () => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    await org.call('DELETE', `/${webhook.webhook_id}`)
    expect(await org.attempt(deliveryId)).toBeNull()
    expect(receiver.received).toHaveLength(0)
    const left = await t.owner.query('select from deliveries where delivery_id = $1', [deliveryId])
    expect(left.rowCount).toBe(0)
  })

  it('that is deleted during a call leaves no rows', async () => {
    let release = (): void => undefined
    receiver.behave = (response) => (release = () => void response.end())
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    const attempt = org.attempt(deliveryId)
    await until('the call', () => receiver.received.length === 1)
    await org.call('DELETE', `/${webhook.webhook_id}`)
    await removeDeliveries(t.deps, { orgId: org.orgId, webhookId: webhook.webhook_id })
    release()
    await attempt
    expect(await org.attempt(deliveryId)).toBeNull()
    for (const table of ['deliveries', 'delivery_attempts', 'webhooks']) {
      const left = await t.owner.query(`select from ${table} where org_id = $1`, [org.orgId])
      expect(left.rowCount).toBe(0)
    }
  })

  it('whose address is no longer allowed is not called', async () => {
    const deliveryId = await org.deliverTo(webhook.webhook_id)
    const egressPolicy = { ...t.deps.egressPolicy, allowLoopback: false }
    expect(await org.attempt(deliveryId, { egressPolicy })).toBe(minute)
    expect((await org.delivery(webhook.webhook_id, deliveryId)).attempt_log[0].error).toBe(
      'endpoint_url must be https',
    )
    expect(receiver.received).toHaveLength(0)
  })
})
