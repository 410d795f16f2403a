import { randomUUID, verify, X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'

let simulator: Simulator
let receiver: Receiver
beforeEach(async () => {
  simulator = await startSimulator({ delayMs: 86_400_000 })
  receiver = await startReceiver()
  simulator.configure('circle', { webhook_url: receiver.url })
})
afterEach(async () => {
  await simulator.stop()
  await receiver.stop()
})

const authorization = 'Bearer SAND_API_KEY:circle:switchyard'
const url = (path: string) => `${simulator.providerUrl('circle')}/v1/businessAccount${path}`
const get = async (path: string) => (await http(url(path), { headers: { authorization } })).json() as Wrapped
const post = (path: string, body: object) =>
  http(url(path), { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body })
const made = async (path: string, body: object): Promise<Row> => {
  const { data } = (await post(path, body)).json() as Wrapped
  if (Array.isArray(data)) throw new Error('a list')
  return data
}
type Row = Record<string, unknown> & { id: string }
interface Wrapped {
  data: Row | Row[]
}

const account = (accountNumber = '12340010') => ({
  idempotencyKey: randomUUID(),
  accountNumber,
  routingNumber: '121000248',
  billingDetails: { name: 'Ada', line1: '1 Main', city: 'Boston', postalCode: '01234', country: 'US' },
  bankAddress: { country: 'US' },
})
const payoutTo = (id: string, amount = '100.00') => ({
  idempotencyKey: randomUUID(),
  destination: { type: 'wire', id },
  amount: { amount, currency: 'USD' },
})
const recipient = (address = `0x${'ab'.repeat(20)}`) => ({
  idempotencyKey: randomUUID(),
  address,
  chain: 'BASE',
  currency: 'USD',
  description: 'x',
})

describe('refusals', () => {
  test('an unknown key, a missing field, an invalid id', async () => {
    expect((await http(url('/payouts'), { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    const { routingNumber: _none, ...rest } = account()
    const answer = await post('/banks/wires', rest)
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: 2, message: 'Invalid entity. accountNumber is invalid.' },
    ])
    expect((await post('/payouts', payoutTo(randomUUID()))).status).toBe(400)
    expect((await http(url(`/transfers/${randomUUID()}`), { headers: { authorization } })).status).toBe(404)
  })

  test('a key with another body; with the same body the first record is returned', async () => {
    const wire = await made('/banks/wires', account())
    const first = payoutTo(wire.id)
    const payout = await made('/payouts', first)
    expect(await made('/payouts', first)).toEqual(payout)
    const other = await post('/payouts', { ...first, amount: { amount: '1.00', currency: 'USD' } })
    expect([other.status, other.json()]).toMatchObject([409, { code: 1083 }])
    expect(simulator.log({ provider: 'circle' })).toHaveLength(1)
  })
})

describe('accounts and recipients', () => {
  test('a linked account is ready when it is read, fails, or stays pending', async () => {
    for (const [number, status] of [
      ['12340010', 'complete'],
      ['12340097', 'pending'],
      ['12340098', 'failed'],
    ] as const) {
      const wire = await made('/banks/wires', account(number))
      expect(wire['status']).toBe('pending')
      expect((await get(`/banks/wires/${wire.id}`)).data).toMatchObject({ status })
      expect((await post('/payouts', payoutTo(wire.id))).status).toBe(status === 'complete' ? 201 : 400)
    }
  })

  test('a recipient is cleared when it is read again, except one under review', async () => {
    for (const [address, status] of [
      [`0x${'ab'.repeat(20)}`, 'active'],
      [`0x${'ab'.repeat(18)}dead`, 'pending_verification'],
    ] as const) {
      const request = recipient(address)
      expect(await made('/wallets/addresses/recipient', request)).toMatchObject({
        status: 'pending_verification',
      })
      expect(await made('/wallets/addresses/recipient', request)).toMatchObject({ status })
    }
  })
})

describe('deposits', () => {
  test('only the configured payer pays', async () => {
    simulator.configure('circle', { options: { 'customer_pays 12340010': '70.00' } })
    await made('/banks/wires', account())
    await made('/banks/wires', account('12340011'))
    expect(simulator.log({ provider: 'circle' })).toMatchObject([{ amount: '70.00', currency: 'USD' }])
  })

  test('without configuration nobody pays; a configured customer pays from the linked account', async () => {
    await made('/banks/wires', account())
    expect(simulator.log({ provider: 'circle' })).toEqual([])
    simulator.configure('circle', { options: { customer_pays: '100.00' } })
    const wire = await made('/banks/wires', account())
    expect((await get('/deposits?type=wire')).data).toEqual([])
    await simulator.settle()
    expect((await get('/deposits?type=wire')).data).toMatchObject([
      {
        status: 'complete',
        amount: { amount: '100.00', currency: 'USD' },
        source: { type: 'wire', id: wire.id },
      },
    ])
  })

  test('a deposit to an address is a transfer from a chain, and an address can be issued again', async () => {
    simulator.configure('circle', { options: { customer_pays: '5', reuses_addresses: true } })
    const open = () =>
      made('/wallets/addresses/deposit', { idempotencyKey: randomUUID(), currency: 'EUR', chain: 'BASE' })
    const { address } = await open()
    expect((await open())['address']).toBe(address)
    await simulator.settle()
    const arrival = {
      status: 'complete',
      amount: { amount: '5', currency: 'EUR' },
      source: { type: 'blockchain' },
      destination: { type: 'wallet', address },
    }
    expect((await get('/transfers')).data).toMatchObject([arrival, arrival])
  })
})

describe('payouts and transfers', () => {
  test('a returned payout has a return, and lists are paged with the newest first', async () => {
    const wire = await made('/banks/wires', account())
    const first = await made('/payouts', payoutTo(wire.id, '100.25'))
    const second = await made('/payouts', payoutTo(wire.id))
    await simulator.settle({ all: true })
    expect((await get(`/payouts/${first.id}`)).data).toMatchObject({ status: 'complete', return: {} })
    expect((await get('/payouts?pageSize=1')).data).toMatchObject([{ id: second.id }])
    expect((await get(`/payouts?pageSize=1&pageAfter=${second.id}`)).data).toMatchObject([{ id: first.id }])
    expect((await get(`/payouts?pageAfter=${first.id}`)).data).toEqual([])
  })

  test('a message verifies with Amazon’s certificate, and a forged one does not', async () => {
    const request = recipient()
    const to = await made('/wallets/addresses/recipient', request)
    const idempotencyKey = randomUUID()
    const destination = { type: 'verified_blockchain', addressId: to.id }
    const amount = { amount: '7.25', currency: 'USD' }
    await made('/transfers', { idempotencyKey, destination, amount })
    await simulator.settle()
    const body = { reference: idempotencyKey, forge: true }
    await http(`${simulator.providerUrl('circle')}/_webhooks/send`, { method: 'POST', body })
    const path = '/sns/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem'
    const certificate = await (await fetch(`${simulator.providerUrl('circle')}${path}`)).text()
    const { publicKey } = new X509Certificate(certificate)
    const genuine = receiver.received().map(({ body: text }) => {
      const message = JSON.parse(text) as Record<string, string> // as it was sent
      const names = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
      const signed = names.map((name) => `${name}\n${message[name]}\n`).join('')
      return verify(
        'RSA-SHA1',
        Buffer.from(signed),
        publicKey,
        Buffer.from(message['Signature'] ?? '', 'base64'),
      )
    })
    expect(genuine).toEqual([true, false])
    expect(receiver.received()[0]?.body).toContain('notificationType\\":\\"transfers')
  })
})
