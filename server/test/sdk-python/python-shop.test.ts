import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { newSecret, signatureHeaders } from '../../src/domains/events/webhooks/rules.ts'
import type { Json } from '../app/test-app.ts'
import { openPayments, untilSettled, usePayments, type OrgPayments } from '../worlds/test-payments.ts'
import { startDroppingProxy, type DroppingProxy } from '../sdk/dropping-proxy.ts'
import { startShop, type ShopProcess } from './shop-process.ts'

const orders = 12
const sweeping = { SHOP_SWEEP_SECONDS: '0.3' }
const secret = newSecret()
const directory = mkdtempSync(join(tmpdir(), 'switchyard-shop-'))
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let proxy: DroppingProxy
let shop: ShopProcess
beforeAll(async () => {
  org = await openPayments(t)
  proxy = await startDroppingProxy(t.url)
  const { body } = await org.call('POST', '/v1/public/api-keys', { name: 'shop' })
  shop = await startShop({
    SWITCHYARD_URL: proxy.url,
    SWITCHYARD_API_KEY: body.data.api_key,
    WEBHOOK_SECRET: secret,
    SHOP_DATABASE: join(directory, 'shop.db'),
    SHOP_SWEEP_SECONDS: '3600',
  })
  await shop.start(sweeping)
}, 120_000)
afterAll(async () => {
  await shop.kill()
  await proxy.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The simulator lets a payer with this number refuse. */
const isRefused = (index: number): boolean => index % 4 === 3
const phoneOf = (index: number): string => `2567834567${isRefused(index) ? '14' : '00'}`
const orderId = (index: number): string => `order-${index}`
const indices = Array.from({ length: orders }, (_, index) => index)

const put = (index: number): Promise<number | undefined> =>
  shop.send('PUT', `/orders/${orderId(index)}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: phoneOf(index) }),
  })

async function paymentIds(): Promise<string[]> {
  const { rows } = await t.owner.query<{ payment_id: string }>(
    'select payment_id from payments where org_id = $1',
    [org.orgId],
  )
  return rows.map(({ payment_id: id }) => id)
}

/** The orders that the shop knows as completed and has shipped once. */
async function shippedOrders(): Promise<string[]> {
  const ids = indices.map(orderId)
  const found = await Promise.all(ids.map((id) => shop.order(id)))
  return ids
    .filter((_, index) => found[index]?.shipped === 1 && found[index].status === 'completed')
    .toSorted()
}

const orderOf = ({ body }: Json): string => JSON.parse(body).data.client_reference

const deliver = ({ event_id: eventId, body }: Json): Promise<number | undefined> => {
  const signed = { eventId, body, attempt: 1, at: new Date() }
  const headers = signatureHeaders({ current: secret, previous: undefined }, signed)
  return shop.send('POST', '/hooks', { headers: { 'content-type': 'application/json', ...headers }, body })
}

/** Sends an event again until it is accepted, as Switchyard does, and kills the shop now and then while it works. */
async function deliverThroughKills(event: Json, index: number): Promise<void> {
  if (index % 9 === 4) {
    const interrupted = deliver(event)
    await new Promise((resolve) => setTimeout(resolve, index % 5))
    await shop.kill()
    await interrupted
    await shop.start()
  }
  await waitUntil(async () => (await deliver(event)) === 204 || undefined, {
    timeoutMs: 60_000,
    what: 'the delivery of an event',
  })
}

it('ships each paid order once, with lost connections, a killed shop and doubled, lost and shuffled events', async () => {
  for (const index of indices) {
    if (index % 3 === 0) proxy.drop(index % 2 === 0 ? 'after' : 'during')
    const sent = put(index)
    if (index === 5) {
      await shop.kill()
      await sent
      await shop.start(sweeping)
    }
    await sent
    await put(index)
  }
  // The sweep begins what the crash interrupted, under the same key.
  await waitUntil(async () => (await paymentIds()).length === orders || undefined, {
    timeoutMs: 60_000,
    what: 'a payment for each order',
  })
  await shop.kill()
  await shop.start()
  for (const id of await paymentIds())
    await waitUntil(
      async () => {
        await t.simulator.settle()
        await org.advance(id)
        return /completed|failed/.test((await org.record(id)).status) || undefined
      },
      { timeoutMs: 60_000, what: 'the end of a payment' },
    )
  const { body } = await org.call('GET', '/v1/public/webhooks/events?limit=100')
  const events: Json[] = body.data.toReversed()
  expect(events.length).toBeGreaterThanOrEqual(orders)
  // Every fifth is lost, every third comes twice, and all of them come in the opposite order.
  const chaotic = events
    .filter((_, index) => index % 5 !== 0)
    .flatMap((event, index) => (index % 3 === 0 ? [event, event] : [event]))
    .toReversed()
  expect(await shippedOrders()).toEqual([])
  for (const [index, event] of chaotic.entries()) await deliverThroughKills(event, index)
  const told = chaotic.filter(({ event_type: type }) => type === 'payment.completed')
  expect(told.length).toBeGreaterThan(orders / 2)
  expect(await shippedOrders()).toEqual([...new Set(told.map(orderOf))].toSorted())
  // Nothing is swept up to here. Afterwards the shop hears of the lost events as well.
  await shop.kill()
  await shop.start(sweeping)
  for (const index of indices) {
    const expected = isRefused(index) ? { status: 'failed', shipped: 0 } : { status: 'completed', shipped: 1 }
    const settled = await waitUntil(
      async () => {
        const order = await shop.order(orderId(index))
        return ['completed', 'failed'].includes(order.status) ? order : undefined
      },
      { timeoutMs: 60_000, what: `the end of order ${index}` },
    )
    expect(settled).toMatchObject(expected)
  }
  expect(await paymentIds()).toHaveLength(orders)
  for (const id of await paymentIds()) expect(await org.accepted(id)).toHaveLength(1)
}, 240_000)

it('refuses a forged event, and has less than 150 lines', async () => {
  expect(await shop.send('POST', '/hooks', { body: '{}' })).toBe(400)
  const source = readFileSync(join(import.meta.dirname, '../../../examples/python-shop/shop.py'), 'utf8')
  expect(source.trimEnd().split('\n').length).toBeLessThan(150)
})
