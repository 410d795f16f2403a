import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeConfig } from '@switchyard/cli/profiles/config-file.ts'
import { startCli, steady, type CliProcess } from '@switchyard/cli/testing/cli-process.ts'
import { runInProcess } from '@switchyard/cli/testing/test-io.ts'
import { triggers } from '@switchyard/cli/triggers/triggers.ts'
import { verifyWebhook } from '@switchyard/sdk/verify-webhook'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { kenyanPayin, openPayments, usePayments, type OrgPayments } from '../worlds/test-payments.ts'

const t = usePayments()
const directory = mkdtempSync(join(tmpdir(), 'switchyard-cli-'))
const configFile = join(directory, 'config.json')
let org: OrgPayments
let key: string
const running: CliProcess[] = []

beforeAll(async () => {
  org = await openPayments(t)
  key = (await org.call('POST', '/v1/public/api-keys', { name: 'cli' })).body.data.api_key
  const profile = { base_url: t.url, api_key: key, org_id: org.orgId, simulator: t.simulator.url }
  writeConfig(configFile, {
    current: 'test',
    profiles: {
      test: { ...profile, environment: 'sandbox' },
      live: { ...profile, environment: 'production' },
    },
  })
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGINT')
    await ended
  }
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const env = (): Record<string, string> => ({ SWITCHYARD_CONFIG: configFile })

function start(args: readonly string[], options: Parameters<typeof startCli>[1] = {}): CliProcess {
  const process = startCli(args, { ...options, env: { ...env(), ...options.env } })
  running.push(process)
  return process
}

/** A receiver that keeps what it accepts, on a port that it can come back to. */
class Receiver {
  readonly received: { id: string; type: string }[] = []
  readonly forged: string[] = []
  secret = ''
  port = 0
  status = 204
  #server: Server | undefined

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        try {
          const event = verifyWebhook(Buffer.concat(chunks), request.headers, this.secret)
          if (this.status < 300) this.received.push({ id: event.event_id, type: event.event_type })
        } catch (error) {
          this.forged.push(String(error))
        }
        response.writeHead(this.status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  types(paymentType: string): string[] {
    return this.received.filter(({ type }) => type === paymentType).map(({ id }) => id)
  }
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAt = Date.now() + 25_000
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error(`in time there was no ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const completedEvents = async (): Promise<string[]> => {
  const { body } = await org.call('GET', '/v1/public/webhooks/events?limit=100&event_type=payment.completed')
  return body.data.map(({ event_id }: { event_id: string }) => event_id)
}

const secretOf = (process: CliProcess): string => /whsec_\S+/.exec(process.stderr())?.[0] ?? ''

describe('listen', () => {
  it('loses no event and signs each rightly while its receiver restarts, and repeats none', async () => {
    const before = new Set(await completedEvents())
    const receiver = new Receiver()
    await receiver.start()
    const listen = start([
      'listen',
      '--forward-to',
      `127.0.0.1:${receiver.port}/hooks`,
      '--event',
      'payment.completed',
    ])
    await listen.saw('Forwarding events')
    receiver.secret = secretOf(listen)
    const payments = [await org.start(kenyanPayin())]
    await until(() => receiver.received.length === 1, 'first event')
    await receiver.stop()
    for (let count = 0; count < 3; count++) payments.push(await org.start(kenyanPayin()))
    await listen.saw('"status":null')
    await receiver.start()
    payments.push(await org.start(kenyanPayin()))
    await until(() => receiver.received.length >= payments.length, 'every event')
    const happened = (await completedEvents()).filter((id) => !before.has(id))
    expect(receiver.types('payment.completed').toSorted()).toEqual(happened.toSorted())
    expect(receiver.forged).toEqual([])
    listen.child.kill('SIGINT')
    const { code, stderr } = await listen.ended
    expect(code).toBe(0)
    expect(stderr).toContain('5 accepted, 0 not accepted.')
    await receiver.stop()
  })

  it('uses a secret of your own, and goes on after a receiver that refuses', async () => {
    const receiver = new Receiver()
    receiver.secret = 'whsec_c2VjcmV0LW9mLW15LW93bi1jaG9pY2U='
    receiver.status = 500
    await receiver.start()
    const listen = start(
      ['listen', '--forward-to', `localhost:${receiver.port}`, '--event', 'payment.completed', '--json'],
      {
        env: { SWITCHYARD_WEBHOOK_SECRET: receiver.secret },
      },
    )
    await listen.saw('Forwarding events')
    await org.start(kenyanPayin())
    await listen.saw('"status":500')
    receiver.status = 200
    await listen.saw('"status":200')
    expect(receiver.received).toHaveLength(1)
    expect(receiver.forged).toEqual([])
    await receiver.stop()
  })

  it('starts in the past if it is told to', async () => {
    const paymentId = await org.start(kenyanPayin())
    await until(async () => (await org.eventTypes(paymentId)).includes('payment.completed'), 'completion')
    const tail = start(['events', 'tail', '--since', '10m', '--event', 'payment.completed', '--json'])
    await tail.saw(paymentId)
    expect(tail.stdout()).toContain('payment.completed')
  })
})

describe('trigger', () => {
  const run = (...args: string[]) => runInProcess(['trigger', ...args], { env: env(), fetch })

  it.each(triggers.map(({ event }) => event))('%s makes it happen', async (event) => {
    const { code, printed, said } = await run(event)
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ event_type: event })
  })

  it('tells on a terminal how a payment falls back to another provider', async () => {
    const { code, stdout } = await start(['trigger', 'payment.completed', '--with', 'fallback'], {
      env: { NO_COLOR: '1' },
      columns: 100,
    }).ended
    expect(code).toBe(0)
    // How far the second attempt is when it is first seen depends on the moment.
    const seen = steady(stdout).replaceAll(/.*paystack: (?!succeeded).*\n/g, '')
    expect(seen).toBe(
      [
        'Set the simulated pawapay to decline once.',
        'Started payin <id>: 100.00 KES, mobile_money, KE',
        '<clock>  attempt     attempt 1 at pawapay: declined',
        '<clock>  attempt     attempt 2 at paystack: succeeded',
        '<clock>  event       payment.completed',
        '',
      ].join('\n'),
    )
  })

  it.each(['duplicate', 'lost-answer'])('--with %s completes the payment once', async (name) => {
    const { code, printed } = await run('payment.completed', '--with', name)
    expect(code).toBe(0)
    const { resource_id: paymentId } = JSON.parse(printed.at(-1) ?? '')
    expect(await org.accepted(paymentId)).toHaveLength(1)
  })

  it('is refused in production, and for what it does not know', async () => {
    const accepted = t.simulator.log().length
    expect(await run('payment.completed', '--profile', 'live')).toMatchObject({
      code: 2,
      said: expect.stringContaining('only works with the simulator'),
    })
    expect((await run('kyb.approved')).said).toContain('cannot be triggered')
    expect((await run('payment.failed', '--with', 'fallback')).said).toContain('has no --with fallback')
    expect(t.simulator.log()).toHaveLength(accepted)
  })
})

describe('payments', () => {
  it('timeline --follow prints each entry once and ends with the payment', async () => {
    const paymentId = await org.start(kenyanPayin())
    const { code, printed } = await runInProcess(['payments', 'timeline', paymentId, '--follow'], {
      env: env(),
      fetch,
    })
    expect(code).toBe(0)
    const entries = printed.map((line) => JSON.parse(line))
    expect(entries.map(({ kind }) => kind)).toContain('attempt')
    expect(entries.at(-1).at >= entries[0].at).toBe(true)
    const versions = printed.map((line) => `${JSON.parse(line).entry_id} ${JSON.parse(line).summary}`)
    expect(new Set(versions).size).toBe(versions.length)
  })

  it('explain shows the route and sends nothing', async () => {
    const accepted = t.simulator.log().length
    const options = { env: env(), fetch, stdin: JSON.stringify(kenyanPayin()), isTerminal: true }
    const { code, printed } = await runInProcess(['payments', 'explain', '-'], options)
    expect(code).toBe(0)
    expect(printed[0]).toBe('This payin of 100.00 KES would start with pawapay.')
    expect(printed.join('\n')).toMatch(/✓ pawapay: .+\n\s+✓ paystack: /)
    expect(t.simulator.log()).toHaveLength(accepted)
  })
})

describe('logs tail', () => {
  it('prints requests with their codes, but not its own', async () => {
    const tail = start(['logs', 'tail', '--since', '1m', '--json', '--failed'])
    await runInProcess(['payments', 'get', '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'], { env: env(), fetch })
    await tail.saw('"code":"NOT_FOUND"')
    expect(tail.stdout()).not.toContain('/v1/request-log')
  })
})

describe('api', () => {
  const run = (...args: string[]) => runInProcess(['api', ...args], { env: env(), fetch })

  it('sends any request, with the types that the API has', async () => {
    const list = await run('GET', '/v1/transactions?limit=2')
    expect(JSON.parse(list.printed[0] ?? '').data).toHaveLength(2)
    const fields = Object.entries<unknown>(kenyanPayin()).map(([name, value]) =>
      typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`,
    )
    const started = await run(
      'POST',
      '/v1/payments-init/preview',
      ...fields.flatMap((field) => ['-d', field]),
    )
    expect(JSON.parse(started.printed[0] ?? '')).toMatchObject({ would_start: true, amount: '100.00' })
    expect((await run('GET', 'v1/transactions')).code).toBe(2)
    expect((await run('GET', '/v1/nothing')).code).toBe(1)
  })
})
