import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mobileMoneyPayin, usePayments } from '../../../../../test/worlds/test-payments.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { answer, startTestReceiver, type TestReceiver } from '../../../../../test/app/test-receiver.ts'
import { until } from '../../../../../test/app/test-relay.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import {
  queryEngine,
  engineOf,
  startTestWorker,
  type TestWorker,
} from '../../../../../test/app/test-worker.ts'
import { verifyWebhook } from '@switchyard/sdk/verify-webhook'
import type { DeliveryDeps } from './record.ts'
import type { Bulkheads, CallOrigin } from './limit-calls.ts'
import { requeueDeliveries } from './requeue-deliveries.ts'
import { deliveryService, firstAttempts } from './workflow.ts'

const t = usePayments({ env: { LOG_LEVEL: 'silent' } })
let receiver: TestReceiver
let org: OrgWebhooks
let worker: TestWorker | undefined
beforeEach(async () => {
  await t.owner.query('delete from outbox')
  receiver = await startTestReceiver()
  org = await openWebhooks(t)
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await receiver.stop()
})

/** A worker for deliveries alone, with a fast schedule. */
function startDeliveries(change: Partial<DeliveryDeps> = {}, port?: number): Promise<TestWorker> {
  const deps = { ...t.deps, deliveryScheduleMs: [0, 30, 30], ...change }
  return startTestWorker(t, {
    services: [deliveryService(engineOf(t), deps)],
    relay: { local: firstAttempts(deps) },
    ...(port !== undefined && { port }),
  })
}

const statusOf = async (deliveryId: string): Promise<string> => {
  const { rows } = await t.owner.query('select status from deliveries where delivery_id = $1', [deliveryId])
  return rows[0]?.status
}
const untilStatus = (deliveryId: string, status: string): Promise<boolean> =>
  until(`the delivery to be ${status}`, async () => (await statusOf(deliveryId)) === status)

async function payUntilCompleted(): Promise<string> {
  const { body } = await t.initiate(mobileMoneyPayin(), { as: org.admin.token })
  const paymentId: string = body.response.payment_id
  await until('the payment to complete', async () => {
    const path = `/v1/payments/transaction/${paymentId}`
    return (await t.call('GET', path, { as: org.admin.token })).body.status === 'completed'
  })
  return paymentId
}

/** Bulkheads that admit a call if `admits` accepts the number of calls so far. */
function countingBulkheads(admits: (visits: number) => boolean) {
  const origins: CallOrigin[] = []
  const bulkheads: Bulkheads = {
    async enter(_orgId, _endpointId, origin) {
      origins.push(origin)
      return admits(origins.length) ? { release: () => undefined } : { waitMs: 10 }
    },
    closed: () => [],
  }
  return { bulkheads, origins }
}

const paymentFields =
  'amount client_reference currency direction failure fee_ids fees_currency metadata payment_id payment_method previous_status provider refunded_amount sequence status target_amount target_currency total_fees transaction_id updated_at'.split(
    ' ',
  )

describe('a payment', () => {
  it('reaches the subscribed endpoints with valid signatures and the documented fields', async () => {
    worker = await startTestWorker(t)
    const all = await org.register(`${receiver.url}/all`)
    await org.register(`${receiver.url}/completed`, { events: ['payment.completed'] })
    const paymentId = await payUntilCompleted()
    const events = (await org.call('GET', '/events?limit=100')).body.data
    await until('all events', () => receiver.bodiesAt('/all').length >= events.length)
    await until('the completion', () => receiver.bodiesAt('/completed').length === 1)
    const arrived = receiver.received
      .filter(({ path }) => path === '/all')
      .map(({ body, headers }) => verifyWebhook(body, headers, all.secret_key))
      .toSorted((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']))
    expect(arrived.map(({ event_id: id }) => id).toSorted()).toEqual(
      events.map((event: Json) => event.event_id).toSorted(),
    )
    expect(arrived.map(({ event_type: type }) => type)).toEqual(
      expect.arrayContaining(['payment.processing', 'payment.completed', 'transaction.updated']),
    )
    const changes = arrived.filter(({ event_type: type }) => type === 'transaction.updated')
    expect(changes.map(({ data }) => data['sequence'])).toEqual(changes.map((_, index) => index + 1))
    const completed: Json = JSON.parse(receiver.bodiesAt('/completed')[0]!)
    expect(completed).toMatchObject({ event_type: 'payment.completed', org_id: org.orgId })
    expect(Object.keys(completed.data).toSorted()).toEqual(paymentFields)
    expect(completed.data).toMatchObject({ payment_id: paymentId, status: 'completed', amount: 5000 })
    expect(receiver.bodiesAt('/completed')[0]).toContain('"amount":5000.0,')
  })

  it('of an organisation without endpoints creates no delivery and no job', async () => {
    worker = await startTestWorker(t)
    await payUntilCompleted()
    expect((await org.call('GET', '/events')).body.data.length).toBeGreaterThan(0)
    const made = await t.owner.query('select from deliveries where org_id = $1', [org.orgId])
    expect(made.rowCount).toBe(0)
    const jobs = await t.owner.query(`select from outbox where org_id = $1 and service = 'Deliveries'`, [
      org.orgId,
    ])
    expect(jobs.rowCount).toBe(0)
  })
})

describe('a first attempt that succeeds', () => {
  it('costs the engine nothing', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    worker = await startDeliveries()
    const deliveryId = await org.deliverTo(id)
    await untilStatus(deliveryId, 'succeeded')
    const job = 'select from outbox where outbox_id = $1'
    await until('the job to end', async () => (await t.owner.query(job, [deliveryId])).rowCount === 0)
    const jobs = await queryEngine(t, 'select * from sys_invocation')
    expect(JSON.stringify(jobs)).not.toContain(deliveryId)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a first attempt that finds no slot', () => {
  it('remains in the outbox until there is one, and costs the engine nothing', async () => {
    const { bulkheads, origins } = countingBulkheads((calls) => calls > 2)
    const { webhook_id: id } = await org.register(receiver.url)
    worker = await startDeliveries({ bulkheads })
    const deliveryId = await org.deliverTo(id)
    await untilStatus(deliveryId, 'succeeded')
    expect(origins).toEqual(['claimed', 'claimed', 'claimed'])
    expect(JSON.stringify(await queryEngine(t, 'select * from sys_invocation'))).not.toContain(deliveryId)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('the engine', () => {
  it('retries on the schedule with the same bytes, and ends in the dead-letter queue', async () => {
    receiver.behave = answer(500)
    const { webhook_id: id } = await org.register(receiver.url)
    worker = await startDeliveries()
    const deliveryId = await org.deliverTo(id)
    await untilStatus(deliveryId, 'dead')
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const name = `${t.config.ENGINE_NAMESPACE}Deliveries`
    const open = `select id from sys_invocation where target_service_name = '${name}' and status <> 'completed'`
    await until('the job to end', async () => (await queryEngine(t, open)).length === 0)
    receiver.behave = answer(200)
    expect((await org.call('POST', '/dead-letters/replay')).body.data.replayed).toBe(1)
    await until('the replay', () => receiver.received.length === 4)
    expect(receiver.received[3]!.body).toBe(receiver.received[0]!.body)
  })

  it('continues the schedule after a restart of the worker', async () => {
    receiver.behave = answer(500)
    const { webhook_id: id } = await org.register(receiver.url)
    const slow = { deliveryScheduleMs: [0, 1_500] }
    const first = await startDeliveries(slow, 0)
    const deliveryId = await org.deliverTo(id)
    await until('the first attempt', async () => (await org.delivery(id, deliveryId)).attempts === 1)
    await first.stop()
    receiver.behave = answer(200)
    worker = await startDeliveries(slow, first.port)
    await untilStatus(deliveryId, 'succeeded')
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2'])
  })

  it('gives a delivery whose first attempt failed priority over new ones', async () => {
    const { bulkheads, origins } = countingBulkheads(() => true)
    receiver.behave = (response, request) =>
      answer(receiver.received.length > 1 ? 200 : 500)(response, request)
    const { webhook_id: id } = await org.register(receiver.url)
    worker = await startDeliveries({ bulkheads })
    await untilStatus(await org.deliverTo(id), 'succeeded')
    expect(origins).toEqual(['claimed', 'returning'])
  })

  it('gets every pending delivery again after it has lost its state', async () => {
    const { webhook_id: id } = await org.register(receiver.url)
    const deliveryId = await org.deliverTo(id)
    await t.owner.query('delete from outbox')
    worker = await startDeliveries()
    expect(await requeueDeliveries(t.deps)).toBeGreaterThanOrEqual(1)
    await untilStatus(deliveryId, 'succeeded')
  })

  it('stores ids only: neither address nor secret nor data', async () => {
    const { webhook_id: id, secret_key: secret } = await org.register(`${receiver.url}/canary-path`)
    receiver.behave = (response, request) =>
      answer(receiver.received.length > 1 ? 200 : 500)(response, request)
    worker = await startDeliveries()
    const made = await org.notify({ transaction_id: 'canary-transaction' })
    await untilStatus(made.deliveries[0].delivery_id, 'succeeded')
    const rows = [
      ...(await queryEngine(t, 'select * from sys_invocation')),
      ...(await queryEngine(t, 'select * from sys_journal')),
    ]
    const raw = rows.map(({ raw: hex }) =>
      typeof hex === 'string' ? Buffer.from(hex, 'hex').toString('latin1') : '',
    )
    const text = [JSON.stringify(rows), ...raw].join('\n')
    expect(text).toContain(made.deliveries[0].delivery_id)
    for (const canary of ['canary-path', 'canary-transaction', secret, id]) expect(text).not.toContain(canary)
  })
})
