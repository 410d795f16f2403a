import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { signWebhook } from '@switchyard/sdk/verify-webhook'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../app/test-app.ts'
import {
  mobileMoneyBeneficiary,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../worlds/test-payments.ts'

const t = usePayments()
const examples = join(import.meta.dirname, '../../../examples')
const directory = mkdtempSync(join(tmpdir(), 'switchyard-shop-'))
const secret = 'whsec_c2VjcmV0LW9mLXRoZS1zaG9wLWluLXRoZS10ZXN0'
const running = new Set<ChildProcess>()
let org: OrgPayments
let key: string

beforeAll(async () => {
  org = await openPayments(t)
  key = (await org.call('POST', '/v1/public/api-keys', { name: 'shop' })).body.data.api_key
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const env = (more: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  SWITCHYARD_URL: t.url,
  SWITCHYARD_API_KEY: key,
  ...more,
})

function start(file: string, args: readonly string[], more: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [join(examples, file), ...args], { env: env(more) })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAt = Date.now() + 20_000
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error(`in time there was no ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the samples', () => {
  it.each(['node-shop/shop.ts', 'payout-script/pay.ts'])('%s has less than 150 lines', (file) => {
    expect(readFileSync(join(examples, file), 'utf8').split('\n').length).toBeLessThan(150)
  })
})

describe('the shop', () => {
  const file = join(directory, 'shop.sqlite')
  let shop: ChildProcess
  let port: number

  async function startShop(sweepMs: number): Promise<void> {
    port = await freePort()
    const more = {
      PORT: String(port),
      SHOP_DATABASE: file,
      WEBHOOK_SECRET: secret,
      SWEEP_MS: String(sweepMs),
    }
    shop = start('node-shop/shop.ts', [], more)
    await once(shop.stdout!, 'data')
  }

  async function killShop(): Promise<void> {
    shop.kill('SIGKILL')
    await once(shop, 'exit')
  }

  const order = (id: string) =>
    fetch(`http://127.0.0.1:${port}/orders/${id}`, {
      method: 'PUT',
      body: JSON.stringify({ amount: '100.00', phone: '254708663158' }),
    })

  const shipped = (): string[] => {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare('select order_id from shipments order by order_id').all()
    database.close()
    return rows.map((row) => String(row['order_id']))
  }

  /** The events of an order's payment as the installation made them, oldest first. */
  async function eventsOf(orderId: string): Promise<Json[]> {
    const find = async (): Promise<Json[]> => {
      const { body } = await org.call('GET', '/v1/public/webhooks/events?limit=100')
      return body.data
        .filter((event: Json) => event.body.includes(`"client_reference":"${orderId}"`))
        .reverse()
    }
    await until(
      async () => (await find()).some((one) => one.event_type === 'payment.completed'),
      `end of ${orderId}`,
    )
    return find()
  }

  async function deliver(event: Json, signedWith = secret): Promise<number> {
    const headers = signWebhook(event.event_id, event.body, signedWith, new Date())
    const response = await fetch(`http://127.0.0.1:${port}/hooks`, {
      method: 'POST',
      headers,
      body: event.body,
    })
    return response.status
  }

  it('ships once although events are doubled, reordered and dropped, and it is killed in the middle', async () => {
    await startShop(600_000)
    expect((await order('doubled')).status).toBe(200)
    expect((await order('doubled')).status).toBe(200)
    await order('reordered')
    await order('dropped')
    await order('killed')

    for (const event of await eventsOf('doubled'))
      expect([await deliver(event), await deliver(event)]).toEqual([204, 204])
    for (const event of (await eventsOf('reordered')).reverse()) expect(await deliver(event)).toBe(204)
    expect(shipped()).toEqual(['doubled', 'reordered'])

    const events = await eventsOf('killed')
    const forged = await deliver(events.at(-1), 'whsec_Zm9yZ2VkLWJ5LXNvbWVib2R5LWVsc2U=')
    expect([forged, shipped()]).toEqual([400, ['doubled', 'reordered']])
    await Promise.all([Promise.allSettled(events.map((event) => deliver(event))), killShop()])
    await eventsOf('dropped')

    await startShop(100)
    for (const event of events) await deliver(event)
    await until(() => shipped().length === 4, 'shipment of every order')
    expect(shipped()).toEqual(['doubled', 'dropped', 'killed', 'reordered'])
  })

  it('charges once although it is killed while it starts the payment', async () => {
    const asked = order('interrupted').catch(() => undefined)
    await until(
      async () =>
        (await org.call('GET', '/v1/transactions?client_reference=interrupted')).body.data.length > 0,
      'payment',
    )
    await killShop()
    await asked
    await startShop(100)
    await order('interrupted')
    await until(() => shipped().includes('interrupted'), 'shipment')
    const { body } = await org.call('GET', '/v1/transactions?client_reference=interrupted')
    expect(body.data).toHaveLength(1)
    expect(await org.accepted(body.data[0].payment_id)).toHaveLength(1)
    await killShop()
  })
})

describe('the payout script', () => {
  const file = join(directory, 'salaries.csv')

  async function run(
    text: string,
    more: Record<string, string> = {},
  ): Promise<{ code: number; lines: string[][] }> {
    writeFileSync(file, text)
    const child = start('payout-script/pay.ts', [file], more)
    let out = ''
    child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const [code] = await once(child, 'close')
    return {
      code,
      lines: out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')),
    }
  }

  const header = 'reference,beneficiary_id,amount'
  const paidTo = async (reference: string): Promise<number> => {
    const { body } = await org.call('GET', `/v1/transactions?client_reference=${reference}`)
    const accepted = await Promise.all(body.data.map(({ payment_id }: Json) => org.accepted(payment_id)))
    return accepted.flat().length
  }

  it('pays everyone once, however often and at whatever moment it is run again', async () => {
    const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary())
    const text = [header, `salary-1,${beneficiary},5000`, `salary-2,${beneficiary},6000`].join('\n')
    const both = await Promise.all([run(text), run(text)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const again = await run(text)
    expect(again.code).toBe(0)
    expect(again.lines.map(([reference, amount, result]) => [reference, amount, result])).toEqual([
      ['salary-1', '5000 UGX', 'paid'],
      ['salary-2', '6000 UGX', 'paid'],
    ])
    expect([await paidTo('salary-1'), await paidTo('salary-2')]).toEqual([1, 1])
  })

  it('pays nobody for a file with a wrong line, and tells who was refused', async () => {
    const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary())
    expect((await run(`${header}\nwrong-1,${beneficiary},5000\nwrong-2,${beneficiary},much`)).code).toBe(2)
    expect(await paidTo('wrong-1')).toBe(0)
    const missing = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    const refused = await run(`${header}\nrefused-1,${missing},5000`)
    expect([refused.code, refused.lines[0]?.[2]]).toEqual([1, 'failed'])
  })

  it('calls a payout open that has not ended', async () => {
    const pending = mobileMoneyBeneficiary({
      momo_details: { provider: 'MTN', phone_number: '256783456129' },
    })
    const beneficiary = await org.addBeneficiary(pending)
    const run1 = await run(`${header}\nopen-1,${beneficiary},5000`, { WAIT_MS: '1500' })
    expect([run1.code, run1.lines[0]?.[2]]).toEqual([4, 'open'])
  })
})
