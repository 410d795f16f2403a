import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCli, steady } from '@switchyard/cli/testing/cli-process.ts'
import { keyEnv, runInProcess } from '@switchyard/cli/testing/test-io.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPayments, kenyanPayin, usePayments, type OrgPayments } from '../worlds/test-payments.ts'
import type { Json } from '../app/test-app.ts'

const t = usePayments()
let org: OrgPayments
let key: string
let paymentId: string

beforeAll(async () => {
  org = await openPayments(t)
  key = (await org.call('POST', '/v1/public/api-keys', { name: 'cli' })).body.data.api_key
  paymentId = await org.start(kenyanPayin({ client_reference: 'order-1' }))
})

const env = (): Record<string, string> => keyEnv(t.url, key)
const rowsOf = (stdout: string): Json[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a process', () => {
  it('prints JSON lines into a pipe, and messages elsewhere', async () => {
    const { code, stdout, stderr } = await startCli(['transactions', 'list', '--limit', '1'], { env: env() })
      .ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(rowsOf(stdout)).toEqual([
      expect.objectContaining({ amount: '100.00', client_reference: 'order-1' }),
    ])
  })

  it('prints a table on a terminal that fits its width, without colours if nobody wants them', async () => {
    const run = (width: number, more: Record<string, string> = {}) =>
      startCli(['transactions', 'list'], { env: { ...env(), ...more }, columns: width }).ended
    const plain = await run(100, { NO_COLOR: '1' })
    expect(plain.code).toBe(0)
    expect(steady(plain.stdout)).toBe(
      [
        'transaction_id                        status     direction  amount  currency  provider  country',
        '<id>  completed  inbound    100.00  KES       pawapay   KE',
        '',
      ].join('\n'),
    )
    expect(Math.max(...plain.stdout.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(100)
    expect((await run(60)).stdout).toContain('\u001b[1m')
  })

  it('exits with 1 and the request id if it is refused', async () => {
    const missing = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    const { code, stdout, stderr } = await startCli(['payments', 'get', missing], { env: env() }).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^switchyard: .+ \(NOT_FOUND\)\n {2}request id \S+\n$/)
  })

  it('exits with 2 if it is called wrongly', async () => {
    const { code, stderr } = await startCli(['payments', 'gte'], { env: env() }).ended
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean get?')
  })

  it('exits with 3 without a connection', async () => {
    const { code, stderr } = await startCli(['users', 'me'], { env: keyEnv('http://127.0.0.1:1', key) }).ended
    expect(code).toBe(3)
    expect(stderr).toContain('No response from http://127.0.0.1:1')
  })

  it('exits with 4 and the key to repeat with if nobody knows whether it was done', async () => {
    const deaf = createServer((request) => request.resume().on('end', () => request.socket.destroy()))
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
    const { port } = deaf.address() as AddressInfo
    const args = ['virtual-accounts', 'create', '-d', 'currency=KES']
    const { code, stderr } = await startCli(args, { env: keyEnv(`http://127.0.0.1:${port}`, key) }).ended
    deaf.close()
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /The request may have succeeded\. Look it up, or repeat the command with --idempotency-key [0-9a-f]{32}/,
    )
  })
})

describe('secrets', () => {
  it('are in no argument, message or report of a request', async () => {
    const run = startCli(['users', 'me', '--verbose'], { env: env() })
    expect(run.commandLine()).not.toContain(key)
    const { stdout, stderr } = await run.ended
    expect(stderr).toMatch(/^GET \/v1\/users\/me → 200, \d+ ms, \S+\n$/)
    const refused = await startCli(['users', 'me', '--verbose', `--api-key=${key}`], { env: env() }).ended
    const revoked = await startCli(['users', 'me'], { env: { ...env(), SWITCHYARD_API_KEY: `${key} x` } })
      .ended
    expect([refused.code, revoked.code]).toEqual([2, 2])
    expect(
      `${stdout}${stderr}${refused.stdout}${refused.stderr}${revoked.stdout}${revoked.stderr}`,
    ).not.toContain(key.slice(8))
  })
})

describe('a shortened id', () => {
  it('is completed where one payment is left, and refused otherwise', async () => {
    const get = (id: string) => runInProcess(['payments', 'get', id], { env: env(), fetch })
    const found = await get(paymentId.slice(0, 18))
    expect(found).toMatchObject({ code: 0, said: `payment_id ${paymentId}` })
    expect(JSON.parse(found.printed[0] ?? '')).toMatchObject({ payment_id: paymentId })
    expect(await get('ffffffff')).toMatchObject({
      code: 2,
      said: expect.stringContaining('No recent payment_id starts'),
    })
  })

  it('that two payments share is refused', async () => {
    const data = ['1', '2'].map((digit) => ({ payment_id: `0198c0de-7a1b-7c3d-9e4f-00000000000${digit}` }))
    const answer = JSON.stringify({ status: 'success', data, meta: {} })
    const run = await runInProcess(['payments', 'get', '0198c0de'], {
      env: env(),
      fetch: () => Promise.resolve(new Response(answer)),
    })
    expect(run).toMatchObject({ code: 2, said: expect.stringContaining('type more characters') })
  })

  it('of any other resource is found in its list', async () => {
    const created = await org.call('POST', '/v1/public/webhooks', {
      endpoint_url: 'https://example.com/hook',
    })
    const { webhook_id: id } = created.body.data
    const run = await runInProcess(['webhooks', 'get', id.slice(0, 20)], { env: env(), fetch })
    expect(JSON.parse(run.printed[0] ?? '')).toMatchObject({ webhook_id: id })
  })
})

describe('the organisation', () => {
  it('is the one of the key unless another is named', async () => {
    const run = await runInProcess(['organizations', 'get'], { env: env(), fetch })
    expect(JSON.parse(run.printed[0] ?? '')).toMatchObject({ org_id: org.orgId })
    const other = await runInProcess(['organizations', 'get', '--org-id', t.seed.orgs[0]!.org_id], {
      env: env(),
      fetch,
    })
    expect(other.code).toBe(1)
  })
})

describe('a list', () => {
  it('is printed up to its limit, whole, or as CSV', async () => {
    const list = (...args: string[]) => runInProcess(['transactions', 'list', ...args], { env: env(), fetch })
    await org.start(kenyanPayin())
    const first = await list('--limit', '1')
    expect([first.printed.length, first.said]).toEqual([
      1,
      'There are more results. Pass --limit or --all to see them.',
    ])
    const all = await list('--all')
    expect(all.printed.length).toBeGreaterThan(1)
    const csv = await list('--csv')
    expect(csv.printed).toHaveLength(all.printed.length + 1)
    expect(csv.printed[0]).toContain('payment_id')
  })
})
