import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createManualClock } from './core/clock.ts'
import { LIMITS } from './limits.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
import { http } from './testing/http.ts'
import { createPawapayClient } from './testing/pawapay-client.ts'
import { startReceiver } from './testing/receiver.ts'

const started: Simulator[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((simulator) => simulator.stop()))
})

async function start(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ delayMs: 10, ...options })
  started.push(simulator)
  return { simulator, client: createPawapayClient(simulator) }
}

describe('time', () => {
  test('the state changes by the injected clock', async () => {
    const clock = createManualClock(new Date('2026-01-01T00:00:00Z'))
    const { client } = await start({ clock, delayMs: 5_000 })
    const id = randomUUID()
    await client.deposit({ id })
    clock.advance(4_999)
    expect((await client.find('deposits', id)).json()).toMatchObject({ data: { status: 'PROCESSING' } })
    clock.advance(1)
    expect((await client.find('deposits', id)).json()).toMatchObject({ data: { status: 'COMPLETED' } })
  })

  test('POST /_settle advances pending transactions by one step', async () => {
    const { simulator, client } = await start({ delayMs: 60_000 })
    const [plain, reversed, forever] = [randomUUID(), randomUUID(), randomUUID()]
    await client.deposit({ id: plain })
    await client.deposit({ id: reversed, amount: '10.25' })
    await client.deposit({ id: forever, amount: '10.13' })
    const settle = async () => (await http(`${simulator.url}/_settle`, { method: 'POST', body: {} })).json()
    const statusOf = async (id: string) => (await client.find('deposits', id)).json()
    expect(await settle()).toEqual({ settled: 2 })
    expect(await statusOf(plain)).toMatchObject({ data: { status: 'COMPLETED' } })
    expect(await statusOf(reversed)).toMatchObject({ data: { status: 'COMPLETED' } })
    expect(await settle()).toEqual({ settled: 1 })
    expect(await statusOf(reversed)).toMatchObject({ data: { status: 'FAILED' } })
    expect(await statusOf(forever)).toMatchObject({ data: { status: 'PROCESSING' } })
  })

  test('who settles also waits for the webhooks of a step that another caller has just taken', async () => {
    const { simulator, client } = await start({ delayMs: 60_000 })
    const receiver = await startReceiver()
    simulator.configure('pawapay', { webhook_url: receiver.url })
    await client.deposit({ id: randomUUID() })
    const first = simulator.settle()
    expect(await simulator.settle()).toBe(0)
    expect(simulator.webhooks('pawapay').map(({ outcome }) => outcome)).toEqual(['delivered'])
    expect(await first).toBe(1)
    await receiver.stop()
  })
})

describe('the acceptance log', () => {
  test('two hundred concurrent equal calls give one acceptance', async () => {
    const { simulator, client } = await start()
    const id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.deposit({ id })))
    const statuses = answers
      .map((answer) => answer.json())
      .filter((body) => JSON.stringify(body).includes('"ACCEPTED"'))
    expect(statuses).toHaveLength(1)
    expect(simulator.log({ reference: id })).toHaveLength(1)
  })

  test('GET /_log has filters, and no call deletes entries', async () => {
    const { simulator, client } = await start()
    const [depositId, payoutId] = [randomUUID(), randomUUID()]
    await client.deposit({ id: depositId })
    await client.payout({ id: payoutId, amount: '7.5' })
    const answer = await http(`${simulator.url}/_log?provider=pawapay&reference=${payoutId}`)
    expect(answer.json()).toMatchObject({
      dropped: 0,
      entries: [{ sequence: 2, kind: 'payout', reference: payoutId, amount: '7.5', currency: 'GHS' }],
    })
    expect((await http(`${simulator.url}/_log?after=1`)).json()).toMatchObject({ entries: [{ sequence: 2 }] })
    expect((await http(`${simulator.url}/_log`, { method: 'DELETE' })).status).toBe(404)
  })

  test('with a state directory, log and transactions survive a restart and pending work continues', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'simulator-'))
    const id = randomUUID()
    const before = await start({ stateDir, delayMs: 60_000 })
    await before.client.deposit({ id })
    const key = (await before.client.call('/v2/public-key/http')).json()
    const onDisk = readFileSync(join(stateDir, 'acceptances.jsonl'), 'utf8')
    expect(JSON.parse(onDisk)).toMatchObject({ sequence: 1, reference: id })
    await before.simulator.stop()
    started.length = 0

    const after = await start({ stateDir, delayMs: 60_000 })
    expect((await after.client.deposit({ id })).json()).toMatchObject({ status: 'DUPLICATE_IGNORED' })
    expect(after.simulator.log()).toHaveLength(1)
    expect((await after.client.call('/v2/public-key/http')).json()).toEqual(key)
    await after.simulator.settle()
    expect((await after.client.find('deposits', id)).json()).toMatchObject({ data: { status: 'COMPLETED' } })
    rmSync(stateDir, { recursive: true })
  })
})

describe('accounts', () => {
  test('two accounts are isolated, including their references', async () => {
    const { simulator, client } = await start()
    const url = `${simulator.url}/pawapay/_config`
    const body = {
      account: 'second',
      secrets: { api_token: 'second-token' },
      webhook_url: 'http://127.0.0.1:9/x',
    }
    expect((await http(url, { method: 'PUT', body })).json()).toMatchObject({ account: 'second' })
    const second = createPawapayClient(simulator, 'second-token')
    const id = randomUUID()
    expect((await client.deposit({ id })).json()).toMatchObject({ status: 'ACCEPTED' })
    expect((await second.find('deposits', id)).json()).toEqual({ status: 'NOT_FOUND' })
    expect((await second.deposit({ id })).json()).toMatchObject({ status: 'ACCEPTED' })
    expect((await http(url)).json()).toMatchObject({
      accounts: [{ account: 'default' }, { account: 'second' }],
    })
  })

  test('the default account sends its webhooks to Switchyard', async () => {
    const { simulator } = await start({ webhookBaseUrl: 'http://127.0.0.1:8080', webhookToken: 'token-1' })
    expect((await http(`${simulator.url}/pawapay/_config`)).json()).toMatchObject({
      accounts: [{ webhook_url: 'http://127.0.0.1:8080/providers/pawapay/webhooks/token-1' }],
    })
  })
})

describe('the rate feed', () => {
  const currencies = 'USD EUR GBP NGN KES GHS UGX ZAR XOF XAF TZS RWF ZMW USDC USDT BTC ETH'.split(' ')

  test('has every currency as decimal text', async () => {
    const { simulator } = await start()
    const { base, rates } = (await http(`${simulator.url}/rates`)).json() as {
      base: string
      rates: Record<string, string>
    }
    expect(base).toBe('USD')
    for (const currency of currencies) expect(rates[currency]).toMatch(/^\d+(\.\d+)?$/)
  })

  test('can be overridden, reset and broken', async () => {
    const { simulator } = await start()
    const url = `${simulator.url}/rates`
    await http(url, { method: 'PUT', body: { rates: { NGN: '1600.5' } } })
    expect((await http(url)).json()).toMatchObject({ rates: { NGN: '1600.5', KES: '129.35' } })
    await http(url, { method: 'DELETE' })
    expect((await http(url)).json()).toMatchObject({ rates: { NGN: '1530.25' } })
    expect((await http(url, { method: 'PUT', body: { rates: { NGN: 'many' } } })).status).toBe(400)
    simulator.setFaults('rates', [{ on: 'any', fault: 'down' }])
    await expect(http(url)).rejects.toThrow('other side closed')
    expect((await http(url)).status).toBe(200)
  })
})

describe('limits and settings', () => {
  test('a body that is too large is refused', async () => {
    const { client } = await start()
    const body = 'x'.repeat(LIMITS.bodyBytes + 1)
    expect((await client.call('/v2/deposits', { method: 'POST', body })).status).toBe(413)
  })

  test('an unknown provider is 404 on every control path', async () => {
    const { simulator } = await start()
    for (const path of ['_faults', '_config', '_webhooks']) {
      expect((await http(`${simulator.url}/nobody/${path}`)).status).toBe(404)
    }
  })

  test('the environment is validated at the start', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 0, delayMs: 300 })
    expect(() => readConfig({ SIMULATOR_PORT: 'many' })).toThrow('SIMULATOR_PORT')
    expect(() => readConfig({ SIMULATOR_WEBHOOK_URL: 'ftp://x' })).toThrow('SIMULATOR_WEBHOOK_URL')
  })

  test('a hanging call does not prevent the simulator from stopping', async () => {
    const { simulator, client } = await start()
    simulator.setFaults('pawapay', [{ on: 'any', fault: 'timeout_before' }])
    const outcome = client.deposit().then(
      () => 'answered',
      () => 'ended',
    )
    await expect
      .poll(async () => (await http(`${simulator.url}/pawapay/_faults`)).json())
      .toEqual({ faults: [] })
    await simulator.stop()
    started.length = 0
    expect(await outcome).toBe('ended')
  })
})
