import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../simulator.ts'
import { http } from '../testing/http.ts'
import { createPawapayClient, PAWAPAY_TOKEN, type PawapayClient } from '../testing/pawapay-client.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import type { FaultInput } from './faults.ts'

/** Long enough for a busy machine to accept the request. */
const SHORT_MS = 1_000

let simulator: Simulator
let receiver: Receiver
let client: PawapayClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 10, webhookRetryDelaysMs: [20, 20] })
  simulator.configure('pawapay', { webhook_url: receiver.url })
  client = createPawapayClient(simulator)
})
afterEach(() => simulator.setFaults('pawapay', []))
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

function setFaults(...faults: FaultInput[]): void {
  simulator.setFaults('pawapay', faults)
}

function acceptances(reference: string): number {
  return simulator.log({ provider: 'pawapay', reference }).length
}

function receivedFor(reference: string) {
  return receiver.received().filter((webhook) => webhook.body.includes(reference))
}

/** The raw bytes of the answer, which an HTTP client does not expose. */
async function rawGet(path: string): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(simulator.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${PAWAPAY_TOKEN}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { head, body }
}

async function expectState(depositId: string, status: string): Promise<void> {
  await expect
    .poll(async () => (await client.find('deposits', depositId)).json())
    .toMatchObject({ data: { status } })
}

describe('faults before acceptance', () => {
  test('timeout_before never answers and accepts nothing', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'timeout_before' })
    await expect(client.deposit({ id, timeoutMs: SHORT_MS })).rejects.toThrow('timeout')
    expect(acceptances(id)).toBe(0)
    expect((await client.find('deposits', id)).json()).toEqual({ status: 'NOT_FOUND' })
  })

  test('error_500 answers as the provider does and accepts nothing', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'error_500' })
    const answer = await client.deposit({ id })
    expect(answer.status).toBe(500)
    expect(answer.json()).toMatchObject({ failureReason: { failureCode: 'UNKNOWN_ERROR' } })
    expect(acceptances(id)).toBe(0)
  })

  test('rate_limit answers 429 and accepts nothing', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'rate_limit' })
    const answer = await client.deposit({ id })
    expect(answer.status).toBe(429)
    expect(answer.headers['retry-after']).toBe('1')
    expect(acceptances(id)).toBe(0)
  })

  test.each(['down', 'refuse'] as const)('%s ends the connection and accepts nothing', async (fault) => {
    const id = randomUUID()
    setFaults({ on: 'any', fault })
    await expect(client.deposit({ id })).rejects.toThrow(/closed|ECONNRESET|socket/)
    expect(acceptances(id)).toBe(0)
    expect((await client.deposit({ id })).status).toBe(200)
  })

  test('decline refuses with the provider’s answer and accepts nothing', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'decline' })
    const answer = await client.deposit({ id })
    expect(answer.json()).toMatchObject({
      status: 'REJECTED',
      failureReason: { failureCode: 'PROVIDER_TEMPORARILY_UNAVAILABLE' },
    })
    expect(acceptances(id)).toBe(0)
  })

  test('latency only delays', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'latency', ms: 120 })
    const sentAt = performance.now()
    expect((await client.deposit({ id })).json()).toMatchObject({ status: 'ACCEPTED' })
    const answeredAt = performance.now()
    expect(answeredAt - sentAt).toBeGreaterThanOrEqual(115)
  })
})

describe('faults after acceptance', () => {
  test('timeout_after accepts once, never answers, and the payment completes', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'timeout_after' })
    await expect(client.deposit({ id, timeoutMs: SHORT_MS })).rejects.toThrow('timeout')
    expect(acceptances(id)).toBe(1)
    await expectState(id, 'COMPLETED')
  })

  test('error_500_accepted answers 500 and accepts once', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'error_500_accepted' })
    expect((await client.deposit({ id })).status).toBe(500)
    expect(acceptances(id)).toBe(1)
    await expectState(id, 'COMPLETED')
  })

  test('cut_answer sends a status and half of a body, then ends the socket', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'cut_answer' })
    await expect(client.deposit({ id })).rejects.toThrow(/closed|terminated|aborted/)
    expect(acceptances(id)).toBe(1)
    setFaults({ on: 'inquire', fault: 'cut_answer' })
    const { head, body } = await rawGet(`/pawapay/v2/deposits/${id}`)
    expect(head).toContain('HTTP/1.1 200 OK')
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(body.length).toBe(Math.floor(promised / 2))
  })

  test('malformed_200 answers 200 without JSON', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'malformed_200' })
    const answer = await client.deposit({ id })
    expect(answer.status).toBe(200)
    expect(answer.json).toThrow(SyntaxError)
    expect(acceptances(id)).toBe(1)
  })

  test('a repeat after a lost answer is a duplicate and is not accepted again', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'cut_answer' })
    await expect(client.deposit({ id })).rejects.toThrow('other side closed')
    expect((await client.deposit({ id })).json()).toMatchObject({ status: 'DUPLICATE_IGNORED' })
    expect(acceptances(id)).toBe(1)
  })
})

describe('the calls that a fault affects', () => {
  test('only as many as `times`', async () => {
    setFaults({ on: 'collect', fault: 'error_500', times: 2 })
    const statuses = [await client.deposit(), await client.deposit(), await client.deposit()]
    expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200])
  })

  test('only those of its operation', async () => {
    setFaults({ on: 'inquire', fault: 'error_500' })
    const id = randomUUID()
    expect((await client.deposit({ id })).status).toBe(200)
    expect((await client.find('deposits', id)).status).toBe(500)
    expect((await client.find('deposits', id)).status).toBe(200)
  })

  test('only that of its reference', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'down', reference: id })
    expect((await client.deposit()).status).toBe(200)
    await expect(client.deposit({ id })).rejects.toThrow('other side closed')
    expect(acceptances(id)).toBe(0)
  })

  test('an unknown fault is refused with 400', async () => {
    const url = `${simulator.url}/pawapay/_faults`
    const answer = await http(url, {
      method: 'PUT',
      body: { faults: [{ on: 'collect', fault: 'gremlins' }] },
    })
    expect(answer.status).toBe(400)
  })

  test('PUT replaces, GET shows the remaining faults, DELETE clears', async () => {
    const url = `${simulator.url}/pawapay/_faults`
    await http(url, { method: 'PUT', body: { faults: [{ on: 'payout', fault: 'error_500', times: 3 }] } })
    await client.payout()
    expect((await http(url)).json()).toMatchObject({ faults: [{ on: 'payout', times: 2 }] })
    await http(url, { method: 'DELETE' })
    expect((await http(url)).json()).toEqual({ faults: [] })
  })
})

describe('webhook faults', () => {
  test('webhook_drop sends nothing, but the list shows the webhook', async () => {
    const id = randomUUID()
    setFaults({ on: 'collect', fault: 'webhook_drop' })
    await client.deposit({ id })
    await expect
      .poll(() => simulator.webhooks('pawapay').find((webhook) => webhook.reference === id)?.outcome)
      .toBe('dropped')
    expect(receivedFor(id)).toHaveLength(0)
  })

  test('webhook_duplicate sends it twice', async () => {
    const id = randomUUID()
    setFaults({ on: 'webhook', fault: 'webhook_duplicate' })
    await client.deposit({ id })
    await expect.poll(() => receivedFor(id)).toHaveLength(2)
  })

  test('webhook_delay sends it later', async () => {
    const id = randomUUID()
    setFaults({ on: 'any', fault: 'webhook_delay', ms: 150 })
    const sentAt = performance.now()
    await client.deposit({ id })
    await expectState(id, 'COMPLETED')
    await expect.poll(() => receivedFor(id)).toHaveLength(1)
    expect(receivedFor(id)[0]!.at - sentAt).toBeGreaterThanOrEqual(150)
  })

  test('webhook_reorder sends the next webhook first', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    setFaults({ on: 'collect', fault: 'webhook_reorder', reference: first })
    await client.deposit({ id: first })
    await expectState(first, 'COMPLETED')
    await client.deposit({ id: second })
    await expect.poll(() => receivedFor(first)).toHaveLength(1)
    expect(receivedFor(second)[0]!.at).toBeLessThan(receivedFor(first)[0]!.at)
  })

  test('a refused webhook is retried until its attempts are used up', async () => {
    const [lucky, unlucky] = [randomUUID(), randomUUID()]
    receiver.answerWith(500, 503)
    await client.deposit({ id: lucky })
    await expect.poll(() => receivedFor(lucky)).toHaveLength(3)
    receiver.answerWith(500, 500, 500)
    await client.deposit({ id: unlucky })
    await expect
      .poll(() => simulator.webhooks('pawapay').find((webhook) => webhook.reference === unlucky))
      .toMatchObject({ outcome: 'given_up', attempts: [{ status: 500 }, { status: 500 }, { status: 500 }] })
  })
})
