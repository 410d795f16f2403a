import { beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../../test/worlds/test-payments.ts'
import { answer, useReceiver } from '../../../../../test/app/test-receiver.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'

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

/** A delivery whose only attempt has failed. */
async function deadLetter(webhookId = id): Promise<string> {
  receiver.behave = answer(500)
  const deliveryId = await org.deliverTo(webhookId)
  await org.attempt(deliveryId, { deliveryScheduleMs: [0] })
  receiver.behave = answer(200)
  return deliveryId
}
const ids = (answered: { body: Json }, field: string): string[] =>
  answered.body.data.map((row: Json) => row[field])

describe('200', () => {
  it('a replay of an event goes to every subscribed endpoint, or to the named one', async () => {
    const { event_id: eventId } = await org.notify()
    const other = await org.register(`${receiver.url}/other`, { events: ['transaction.updated'] })
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    const all = (await org.call('POST', `/events/${eventId}/replay`)).body.data
    expect(new Set(all.deliveries.map((row: Json) => row.webhook_id))).toEqual(
      new Set([id, other.webhook_id]),
    )
    expect(all.deliveries).toHaveLength(2)
    const one = (await org.call('POST', `/events/${eventId}/replay`, { webhook_id: narrow.webhook_id })).body
      .data
    expect(one.deliveries.map((row: Json) => row.webhook_id)).toEqual([narrow.webhook_id])
    await org.attempt(one.deliveries[0].delivery_id)
    expect(receiver.received[0]?.headers['x-service-event-id']).toBe(eventId)
  })

  it('recover sends what an endpoint has missed, including events before its registration, each once', async () => {
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
    expect(arrived).toHaveLength(missed.length)
    expect(new Set(arrived)).toEqual(new Set(missed))
  })

  it('recover sends a thousand events per request, and the next request continues', async () => {
    const since = clock.now().toISOString()
    await t.owner.query(
      `insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
       select $1, uuidv7(), 'transaction.updated', gen_random_uuid(), 1, '{"test":true}', $2 from generate_series(1, 1050)`,
      [org.orgId, clock.now()],
    )
    clock.pass(10)
    const recover = async (): Promise<number> =>
      (await org.call('POST', `/${id}/recover`, { since })).body.data.replayed
    expect([await recover(), await recover(), await recover()]).toEqual([1000, 50, 0])
  })

  it('recover sends only the types that the endpoint subscribes to', async () => {
    const since = clock.now().toISOString()
    await org.notify()
    const { event_id: wanted } = (await org.call('POST', `/${id}/test`, { event_type: 'kyb.approved' })).body
      .data
    const narrow = await org.register(`${receiver.url}/narrow`, { events: ['kyb.approved'] })
    clock.pass(10)
    expect((await org.call('POST', `/${narrow.webhook_id}/recover`, { since })).body.data.replayed).toBe(1)
    expect(ids(await org.call('GET', `/${narrow.webhook_id}/deliveries`), 'event_id')).toEqual([wanted])
  })

  it('dead letters are listed, and each is replayed once, by filter', async () => {
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

describe('409', () => {
  it('nothing is sent to a disabled endpoint, and the message says what to do', async () => {
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
