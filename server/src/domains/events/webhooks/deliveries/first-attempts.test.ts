import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Relay, RelayOptions } from '../../../../kernel/engine/relay.ts'
import { singleFlight } from '../../../../lib/flow/single-flight.ts'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { answer, startTestReceiver, type TestReceiver } from '../../../../../test/app/test-receiver.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import { startTestRelay } from '../../../../../test/app/test-worker.ts'
import type { AttemptEnd, DeliveryDeps } from './record.ts'
import { defaultPostLimits } from './post-event.ts'
import { firstAttempts } from './workflow.ts'

const t = useApp({ env: { LOG_LEVEL: 'silent' } })
let receiver: TestReceiver
let org: OrgWebhooks
const relays: Relay[] = []
const burials: (() => void)[] = []

beforeEach(async () => {
  await t.owner.query('delete from outbox')
  receiver = await startTestReceiver()
  org = await openWebhooks(t)
})
afterEach(async () => {
  for (const bury of burials.splice(0)) bury()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await receiver.stop()
})

/** A relay that makes first attempts, as another process would. Its leases last one second. */
function startAttempts(change: Partial<DeliveryDeps> = {}, options: Partial<RelayOptions> = {}): void {
  const local = firstAttempts({ ...t.deps, shareAttempt: singleFlight<AttemptEnd>(), ...change })
  relays.push(startTestRelay(t, { local, leaseSeconds: 1, pollMs: 100, ...options }))
}

const stored = async (deliveryId: string): Promise<Json> => {
  const columns = 'status, attempts, is_parked, last_response_status'
  return (await t.owner.query(`select ${columns} from deliveries where delivery_id = $1`, [deliveryId]))
    .rows[0]
}
const jobs = async (): Promise<Json[]> =>
  (await t.owner.query(`select * from outbox where service = 'Deliveries'`)).rows
const untilDone = (): Promise<unknown> => until('the jobs to end', async () => (await jobs()).length === 0)

/** A worker that dies between the receipt of an event and its record: its writes and its leases never arrive. */
function startDying(): { hasSent(): boolean } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  let isDead = false
  const dying = <Result>(work: () => Promise<Result>): Promise<Result> => (isDead ? promise : work())
  const deliveryRecords: DeliveryDeps['deliveryRecords'] = {
    ...t.deps.deliveryRecords,
    writeClaimed() {
      isDead = true
      return promise
    },
  }
  const db: DeliveryDeps['db'] = {
    ...t.deps.db,
    acrossOrgs: (work) => dying(() => t.deps.db.acrossOrgs(work)),
    batchAcrossOrgs: (batch) => dying(() => t.deps.db.batchAcrossOrgs(batch)),
  }
  startAttempts({ deliveryRecords }, { db })
  burials.push(() => reject(new Error('the worker is dead')))
  return { hasSent: () => isDead }
}

describe('a worker that dies between the receipt of an event and its record', () => {
  it('leaves the delivery to another one, which sends the same bytes once more when the lease has ended', async () => {
    const receivedAt: Date[] = []
    receiver.behave = (response) => {
      receivedAt.push(new Date())
      response.end()
    }
    const { webhook_id: id } = await org.register(receiver.url)
    const dead = startDying()
    const deliveryId = await org.deliverTo(id)
    await until('the first receipt', () => dead.hasSent())
    const [{ leased_until: leaseEndsAt }] = await jobs()
    startAttempts()
    await untilDone()
    expect(receivedAt[1]!.getTime()).toBeGreaterThanOrEqual(leaseEndsAt.getTime())
    expect(receiver.received).toHaveLength(2)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1'])
    expect(await stored(deliveryId)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})

describe('a lease', () => {
  /** A renewal is due three times in it, so a busy machine may be seconds late. */
  const leaseSeconds = 4

  it('is renewed while a receiver takes longer than the lease, so that it gets the event once', async () => {
    const waiting: (() => void)[] = []
    receiver.behave = (response) => void waiting.push(() => response.end())
    const { webhook_id: id } = await org.register(receiver.url)
    startAttempts({}, { leaseSeconds })
    startAttempts({}, { leaseSeconds })
    const deliveryId = await org.deliverTo(id)
    await until('the call', () => waiting.length > 0)
    const [{ leased_until: firstEnd }] = await jobs()
    await until('the end of the first lease', () => Date.now() > firstEnd.getTime())
    const [{ leased_until: renewedUntil }] = await jobs()
    expect(renewedUntil.getTime()).toBeGreaterThan(firstEnd.getTime())
    for (const answerCall of waiting) answerCall()
    await untilDone()
    expect(receiver.received).toHaveLength(1)
    expect(await stored(deliveryId)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})

describe('a success', () => {
  it('is recorded in the transaction that drops the job, for events of many organisations together', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => openWebhooks(t)))
    const registered = await Promise.all(
      [org, ...others].map(async (one) => ({ one, webhook: await one.register(receiver.url) })),
    )
    const made = await Promise.all(
      registered.flatMap(({ one, webhook }) =>
        Array.from({ length: 20 }, () => one.deliverTo(webhook.webhook_id)),
      ),
    )
    startAttempts()
    await untilDone()
    expect(receiver.received).toHaveLength(100)
    const { rows } = await t.owner.query(
      `select distinct d.status, d.attempts, a.attempt_no, a.response_status, d.org_id = a.org_id as is_same
       from deliveries d join delivery_attempts a using (delivery_id) where delivery_id = any ($1)`,
      [made],
    )
    expect(rows).toEqual([
      { status: 'succeeded', attempts: 1, attempt_no: 1, response_status: 200, is_same: true },
    ])
  })
})

describe('without an attempt', () => {
  const expectSilence = async (): Promise<void> => {
    startAttempts()
    await untilDone()
    expect(receiver.received).toEqual([])
  }

  it('a delivery to a disabled endpoint is dead-lettered', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    const deliveryId = await org.deliverTo(id)
    await t.owner.query(`update webhooks set status = 'disabled' where webhook_id = $1`, [id])
    await expectSilence()
    expect(await stored(deliveryId)).toMatchObject({ status: 'dead', attempts: 0 })
  })

  it('a delivery to a paused endpoint is parked', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    const deliveryId = await org.deliverTo(id)
    await org.call('PATCH', `/${id}`, { status: 'paused' })
    await expectSilence()
    expect(await stored(deliveryId)).toMatchObject({ status: 'pending', is_parked: true })
  })

  it('a delivery to a deleted endpoint is deleted', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    const deliveryId = await org.deliverTo(id)
    await t.owner.query(`update webhooks set status = 'deleted' where webhook_id = $1`, [id])
    await expectSilence()
    expect(await stored(deliveryId)).toBeUndefined()
  })

  it('a job whose delivery is gone ends', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    await t.owner.query('delete from deliveries where delivery_id = $1', [await org.deliverTo(id)])
    await expectSilence()
  })
})

describe('trouble', () => {
  it('an organisation that is suspended is still told what happened', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    const deliveryId = await org.deliverTo(id)
    await t.owner.query(
      `insert into suspensions (org_id, suspension_id, kind, subject_id, reason, suspended_by, suspended_at)
       values ($1::uuid, gen_random_uuid(), 'organization', $1::text, 'a test', 'operator', now())`,
      [org.orgId],
    )
    startAttempts()
    await untilDone()
    expect(await stored(deliveryId)).toMatchObject({ status: 'succeeded' })
  })

  it('an endpoint that hangs keeps its events in the outbox, and nine healthy ones get all of theirs', async () => {
    const waiting: (() => void)[] = []
    receiver.behave = (response, request) => {
      if (request.url === '/hanging') waiting.push(() => response.end())
      else response.end()
    }
    const paths = Array.from({ length: 9 }, (_, index) => `/healthy-${index}`)
    for (const path of paths) await org.register(`${receiver.url}${path}`)
    const { webhook_id: hanging } = await org.register(`${receiver.url}/hanging`)
    startAttempts({ postLimits: { ...defaultPostLimits, answerMs: 60_000 } })
    const count = 60
    for (let event = 0; event < count; event += 1) await org.notify()
    const arrived = (path: string): number => receiver.bodiesAt(path).length
    await until('the events of the healthy endpoints', () => paths.every((path) => arrived(path) === count))
    const receivers = async (): Promise<string[]> => (await jobs()).map((job) => job.receiver)
    await until('their records', async () => (await receivers()).every((receiver) => receiver === hanging))
    expect(await receivers()).toHaveLength(count)
    receiver.behave = answer(200)
    for (const answerCall of waiting) answerCall()
  })
})
