import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { answer, startTestReceiver, type TestReceiver } from '../../../../../test/app/test-receiver.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import { startTestWorker, type TestWorker } from '../../../../../test/app/test-worker.ts'
import { createBulkheads } from './limit-calls.ts'
import { defaultPostLimits } from './post-event.ts'
import { firstAttempts } from './workflow.ts'

const t = useApp({ env: { LOG_LEVEL: 'silent' } })
let receiver: TestReceiver
let flooding: OrgWebhooks
let other: OrgWebhooks
let worker: TestWorker | undefined

beforeEach(async () => {
  receiver = await startTestReceiver()
  flooding = await openWebhooks(t)
  other = await openWebhooks(t)
})
afterEach(async () => {
  await t.owner.query('delete from outbox')
  await receiver.stop()
  await worker?.stop()
  worker = undefined
})

/** Inserts events whose deliveries have been due for an hour. */
const flood = (webhookId: string, count: number): Promise<unknown> =>
  t.owner.query(
    `with made as (
       insert into events (org_id, event_id, event_type, resource_id, sequence, data)
       select $1, uuidv7(), 'payment.completed', gen_random_uuid(), 1, '{"test":true}' from generate_series(1, $3)
       returning org_id, event_id, event_type
     ), deliveries as (
       insert into deliveries (org_id, delivery_id, webhook_id, event_id, event_type)
       select org_id, event_id, $2, event_id, event_type from made
     )
     insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver)
     select org_id, event_id, 'Deliveries', 'deliver',
            jsonb_build_object('orgId', org_id, 'deliveryId', event_id), now() - interval '1 hour', true, $2
     from made`,
    [flooding.orgId, webhookId, count],
  )
const arrived = (path: string): number => receiver.bodiesAt(path).length

describe('a flood of events of one organisation', () => {
  const many = 20_000
  /** More than the worker sends while a call is answered and its one delivery waits for its turn. */
  const inFlight = many / 2

  it('delays neither the deliveries of another organisation nor its own other work', async () => {
    const { webhook_id: id } = await flooding.register(`${receiver.url}/flood`)
    await other.register(`${receiver.url}/other`)
    await flood(id, many)
    worker = await startTestWorker(t)
    await until('the flood to go out', () => arrived('/flood') >= 100)
    const before = arrived('/flood')
    await other.notify()
    await until('the event of the other organisation', () => arrived('/other') === 1)
    expect(arrived('/flood') - before).toBeLessThan(inFlight)
    const { webhook_id: deleted } = await flooding.register(`${receiver.url}/deleted`)
    const beforeDelete = arrived('/flood')
    await flooding.call('DELETE', `/${deleted}`)
    const isGone = async (): Promise<boolean> =>
      (await t.owner.query('select from webhooks where webhook_id = $1', [deleted])).rowCount === 0
    await until('the deleted endpoint to be removed', isGone)
    expect(arrived('/flood') - beforeDelete).toBeLessThan(inFlight)
    expect(arrived('/flood')).toBeLessThan(many)
  })

  it('to an endpoint that hangs delays neither another organisation nor its own healthy endpoint', async () => {
    /** No call that hangs times out before the others have arrived. */
    const hangingMs = 60_000
    receiver.behave = (response, request) => {
      if (request.url !== '/hanging') response.end()
    }
    const { webhook_id: id } = await flooding.register(`${receiver.url}/hanging`)
    await flooding.register(`${receiver.url}/healthy`)
    await other.register(`${receiver.url}/other`)
    await flood(id, 500)
    const local = firstAttempts({ ...t.deps, postLimits: { ...defaultPostLimits, answerMs: hangingMs } })
    worker = await startTestWorker(t, { relay: { local } })
    await until('the endpoint to be called', () => arrived('/hanging') > 0)
    await Promise.all([other.notify(), flooding.notify()])
    await until('both', () => arrived('/other') === 1 && arrived('/healthy') === 1)
    expect(arrived('/hanging')).toBe(16)
  })
})

describe('bulkheads', () => {
  it('an endpoint that hangs takes no slots from others', async () => {
    const bulkheads = createBulkheads()
    const webhook = await flooding.register(`${receiver.url}/hook`)
    const healthy = await flooding.register(`${receiver.url}/healthy`)
    const waiting: (() => void)[] = []
    receiver.behave = (response, request) => {
      if (request.url === '/healthy') response.end()
      else waiting.push(() => void response.end())
    }
    const events = await Promise.all(Array.from({ length: 20 }, () => flooding.notify()))
    const made: Json[] = events.flatMap((event) => event.deliveries)
    const attempt = (endpoint: Json): Promise<number | null>[] =>
      made
        .filter((one) => one.webhook_id === endpoint.webhook_id)
        .map((one) => flooding.attempt(one.delivery_id, { bulkheads }))
    const hanging = attempt(webhook)
    await until('16 calls that hang', () => waiting.length === 16)
    expect(await Promise.all(attempt(healthy))).toEqual(Array.from({ length: 20 }, () => null))
    expect(receiver.bodiesAt('/healthy')).toHaveLength(20)
    expect(waiting).toHaveLength(16)
    receiver.behave = answer(200)
    for (const release of waiting) release()
    expect(await Promise.all(hanging)).toEqual(Array.from({ length: 20 }, () => null))
  })
})
