import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Protocol, Route } from '../protocol.ts'
import { startSimulator, type Simulator } from '../simulator.ts'
import { exampleProtocol } from '../testing/example-protocol.ts'
import { http } from '../testing/http.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { json } from './answer.ts'

let simulator: Simulator
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 10, protocols: [exampleProtocol] })
  simulator.configure('example', { webhook_url: receiver.url })
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

const headers = { authorization: 'Bearer example-secret' }

function charge(reference: string, amount: string, more: object = {}) {
  const body = { reference, amount, currency: 'NGN', phone: '08012345600', ...more }
  return http(`${simulator.url}/example/charges`, { method: 'POST', headers, body })
}

function act(reference: string, otp: string) {
  const url = `${simulator.url}/example/charges/${reference}/otp`
  return http(url, { method: 'POST', headers, body: { otp } })
}

function receivedFor(reference: string) {
  return receiver.received().filter(({ body }) => body.includes(reference))
}

async function expectCharge(reference: string, expected: object): Promise<void> {
  const url = `${simulator.url}/example/charges/${reference}`
  await expect.poll(async () => (await http(url, { headers })).json()).toMatchObject(expected)
}

describe('the example protocol', () => {
  test('a repeat returns the first charge and is not accepted again', async () => {
    const reference = randomUUID()
    const [first, second] = [await charge(reference, '10'), await charge(reference, '10')]
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.json()).toMatchObject({ reference, amount: '10' })
    expect(simulator.log({ reference })).toHaveLength(1)
  })

  test('15 asks for a password and allows a wrong one', async () => {
    const reference = randomUUID()
    expect((await charge(reference, '10.15')).json()).toMatchObject({ status: 'action_required' })
    expect((await act(reference, '111111')).status).toBe(400)
    expect((await act(reference, '123456')).json()).toMatchObject({ status: 'pending' })
    await expectCharge(reference, { status: 'completed' })
    expect((await act(reference, '123456')).status).toBe(409)
  })

  test.each([
    ['11', 'temporarily_unavailable'],
    ['12', 'insufficient_funds'],
    ['26', 'declined'],
  ])('%s is declined immediately if the provider can: %s', async (cents, reason) => {
    const reference = randomUUID()
    const answer = await charge(reference, `10.${cents}`)
    expect([answer.status, answer.json()]).toEqual([402, { error: reason }])
    expect(simulator.log({ reference })).toHaveLength(0)
  })

  test('a fault declines with its reason', async () => {
    simulator.setFaults('example', [{ on: 'collect', fault: 'decline', reason: 'insufficient_funds' }])
    expect((await charge(randomUUID(), '10')).json()).toEqual({ error: 'insufficient_funds' })
  })

  test('a forged webhook is signed with another secret', async () => {
    const reference = randomUUID()
    await charge(reference, '10')
    await expectCharge(reference, { status: 'completed' })
    await expect.poll(() => receivedFor(reference)).toHaveLength(1)
    const sendUrl = `${simulator.url}/example/_webhooks/send`
    await http(sendUrl, { method: 'POST', body: { reference, forge: true } })
    const genuine = receivedFor(reference).filter(({ body, headers: received }) => {
      const expected = createHmac('sha256', 'example-secret').update(body).digest('hex')
      return received['x-example-signature'] === expected
    })
    expect(receivedFor(reference)).toHaveLength(2)
    expect(genuine).toHaveLength(1)
  })

  test('a route outside the base path prevents the start', async () => {
    const route: Route = {
      method: 'GET',
      path: '/elsewhere',
      on: 'list',
      open: true,
      handle: () => json(200, {}),
    }
    const create: Protocol['create'] = (kit) => ({ ...exampleProtocol.create(kit), routes: [route] })
    const protocol = { ...exampleProtocol, create }
    await expect(startSimulator({ protocols: [protocol] })).rejects.toThrow('outside the base path')
  })
})
