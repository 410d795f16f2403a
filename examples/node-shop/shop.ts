import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { constructEvent, Switchyard, WebhookVerificationError, type PaymentRecord } from '@switchyard/sdk'

/**
 * A shop that takes payments and ships each paid order exactly once. Events may arrive twice, late, out of order or
 * never, and the shop may crash at any moment.
 *
 * - The order is stored before the payment is started, and its id is the idempotency key. After a crash in between, the
 *   shop starts the payment again under the same key, which never charges twice.
 * - An event and its effects are stored in one transaction, so neither exists without the other.
 * - The shop also polls open payments, so a lost event only causes a delay.
 */
const { SWITCHYARD_URL = '', SWITCHYARD_API_KEY = '', WEBHOOK_SECRET = '' } = process.env
const { SHOP_DATABASE = 'shop.sqlite', PORT = '3000', SWEEP_MS = '60000' } = process.env
const bodyLimitBytes = 1_000_000

const switchyard = new Switchyard({ baseUrl: SWITCHYARD_URL, apiKey: SWITCHYARD_API_KEY })
const database = new DatabaseSync(SHOP_DATABASE)
database.exec(`
  pragma journal_mode = wal;
  create table if not exists orders (
    order_id text primary key, amount text not null, phone text not null, payment_id text, status text not null
  ) strict;
  create table if not exists handled_events (event_id text primary key) strict;
  create table if not exists shipments (order_id text primary key, shipped_at text not null) strict;
`)

interface Order {
  order_id: string
  amount: string
  phone: string
  payment_id: string | null
  status: string
}

const findOrder = (id: string): Order | undefined =>
  database.prepare('select * from orders where order_id = ?').get(id) as Order | undefined // the columns of the table

/** Runs the function in a transaction. */
function inTransaction(work: () => void): void {
  database.exec('begin immediate')
  try {
    work()
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/** Starts the payment of an order, or finds the one that was already started. */
async function startPayment({ order_id: orderId, amount, phone }: Order): Promise<void> {
  const payment = await switchyard.payments.initiate(
    {
      amount,
      target_amount: amount,
      currency: 'KES',
      target_currency: 'KES',
      country: 'KE',
      direction: 'payin',
      payment_method: 'mobile_money',
      client_reference: orderId,
      payer_details: { name: 'A customer', phone },
      mobile_money_details: { provider: 'MPESA', phone_number: phone },
    },
    { idempotencyKey: `order-${orderId}` },
  )
  database.prepare('update orders set payment_id = ? where order_id = ?').run(payment.payment_id, orderId)
}

/** Called within a transaction. A paid order stays paid, whatever arrives later, and is shipped once. */
function settle(orderId: string, status: string): void {
  const { changes } = database
    .prepare(`update orders set status = ? where order_id = ? and status not in ('completed', 'failed')`)
    .run(status, orderId)
  if (changes === 1 && status === 'completed')
    database.prepare('insert into shipments values (?, ?)').run(orderId, new Date().toISOString())
}

function receiveEvent(body: Buffer, headers: IncomingMessage['headers']): void {
  const event = constructEvent(body, headers, WEBHOOK_SECRET)
  if (event.event_type !== 'payment.completed' && event.event_type !== 'payment.failed') return
  const { client_reference: orderId, status, test } = event.data
  if (test === true || typeof orderId !== 'string') return
  inTransaction(() => {
    const { changes } = database
      .prepare('insert or ignore into handled_events values (?)')
      .run(event.event_id)
    if (changes === 1) settle(orderId, status)
  })
}

/** Finishes the orders that an earlier run or a lost event left open. */
async function sweep(): Promise<void> {
  const open = `select * from orders where status not in ('completed', 'failed')`
  for (const order of database.prepare(open).all() as unknown as Order[]) {
    // the columns of the table
    try {
      if (order.payment_id === null) await startPayment(order)
      else {
        const payment: PaymentRecord = await switchyard.payments.get(order.payment_id)
        inTransaction(() => settle(order.order_id, payment.status))
      }
    } catch (error) {
      console.error(`order ${order.order_id} will be retried: ${String(error)}`)
    }
  }
}

async function answer(request: IncomingMessage, body: Buffer): Promise<[status: number, body?: unknown]> {
  const [, resource, id = ''] = (request.url ?? '').split('/')
  if (request.method === 'POST' && resource === 'hooks') return (receiveEvent(body, request.headers), [204])
  if (request.method === 'PUT' && resource === 'orders') {
    const { amount, phone } = JSON.parse(body.toString()) as { amount: string; phone: string } // our own page sends it
    database.prepare(`insert or ignore into orders values (?, ?, ?, null, 'new')`).run(id, amount, phone)
    const order = findOrder(id)
    if (order?.payment_id === null) await startPayment(order)
  }
  const order = resource === 'orders' ? findOrder(id) : undefined
  return order ? [200, order] : [404]
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer) // no encoding is set
      if (chunks.reduce((sum, one) => sum + one.length, 0) > bodyLimitBytes)
        throw new Error('the body is too large')
    }
    const [status, result] = await answer(request, Buffer.concat(chunks))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(result === undefined ? '' : JSON.stringify(result))
  } catch (error) {
    // 400 for a forged event; 500 for any other error, so that Switchyard retries the delivery.
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
}

await sweep()
setInterval(() => {
  sweep().catch(console.error)
}, Number(SWEEP_MS))
createServer((request, response) => {
  serve(request, response).catch(console.error)
}).listen(Number(PORT), () => console.log(`ready on ${PORT}`))
