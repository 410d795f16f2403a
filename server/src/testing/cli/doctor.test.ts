import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCli } from '@switchyard/cli/testing/cli-process.ts'
import { keyEnv, runInProcess, type CliRun } from '@switchyard/cli/testing/test-io.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { memberOf } from '../test-app.ts'
import { kenyanPayin, openPayments, usePayments, type OrgPayments } from '../test-payments.ts'

const t = usePayments()
let org: OrgPayments
let key: string

beforeAll(async () => {
  org = await openPayments(t)
  key = await newKey()
})

const newKey = async (): Promise<string> =>
  (await org.call('POST', '/v1/public/api-keys', { name: 'doctor' })).body.data.api_key

const doctor = (baseUrl: string, apiKey: string, changes: object = {}): Promise<CliRun> =>
  runInProcess(['doctor'], { env: keyEnv(baseUrl, apiKey), fetch, isTerminal: true, ...changes })

/** The one line that names the cause and the fix. */
function problemOf({ code, printed }: CliRun): string {
  const problems = printed.filter((line) => line.startsWith('✗'))
  expect({ code, count: problems.length }).toEqual({ code: 1, count: 1 })
  return problems[0] ?? ''
}

describe('doctor', () => {
  it('finds nothing where all is well', async () => {
    const { code, printed } = await doctor(t.url, key)
    expect(code).toBe(0)
    expect(printed.map((line) => line.slice(0, 13).trim())).toEqual([
      '✓ address',
      '✓ clock',
      '✓ key',
      '✓ permissions',
      '✓ webhooks',
    ])
  })

  it('names a wrong address: nothing there, no such host, or something else', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`
    expect(problemOf(await doctor(closed, key))).toMatch(
      /^✗ address +Nothing listens at http:\/\/127\.0\.0\.1:\d+; start the server/,
    )
    expect(problemOf(await doctor('http://switchyard.invalid', key))).toContain(
      'There is no host switchyard.invalid; check',
    )
    const other = createServer((_request, response) => response.end('<html>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect(problemOf(await doctor(`http://127.0.0.1:${port}`, key))).toContain('not as Switchyard does')
    other.close()
  })

  it('names bad TLS', async () => {
    const { code, stdout } = await startCli(['doctor'], {
      env: keyEnv(t.url.replace('http:', 'https:'), key),
    }).ended
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      check: 'tls',
      ok: false,
      text: expect.stringMatching(/is reached, but it does not speak TLS on this port; use http:/),
    })
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'has expired; renew it'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name; check the host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed; point NODE_EXTRA_CA_CERTS'],
  ])('names a certificate that is refused with %s', async (reason, text) => {
    const cause = Object.assign(new Error('refused'), { code: reason })
    const run = doctor('https://pay.example.com', key, {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
    })
    expect(problemOf(await run)).toContain(text)
  })

  it('names a skewed clock', async () => {
    const run = await doctor(t.url, key, { now: () => new Date(Date.now() - 600_000) })
    expect(problemOf(run)).toMatch(
      /^✗ clock +The clock of this machine is (?:599|600|601) s behind the server, .+NTP/,
    )
  })

  it('names a revoked key', async () => {
    const created = await org.call('POST', '/v1/public/api-keys', { name: 'revoked' })
    const { api_key: revoked, api_key_id: id } = created.body.data
    await org.call('DELETE', `/v1/public/api-keys/${id}`)
    const run = await doctor(t.url, revoked)
    expect(problemOf(run)).toMatch(
      /^✗ key +The key of environment is unknown, revoked or expired; .+switchyard login/,
    )
    expect(run.printed.join('\n')).not.toContain(revoked.slice(8))
  })

  it('names a missing permission', async () => {
    const { api_key: viewerKey } = memberOf(t.seed.orgs[0], 'viewer')
    expect(problemOf(await doctor(t.url, viewerKey))).toMatch(
      /^✗ permissions +The key lacks payments:write \(payments initiate, trigger\).*; an administrator grants it/,
    )
  })

  it('names a dead webhook endpoint', async () => {
    const created = await org.call('POST', '/v1/public/webhooks', {
      endpoint_url: 'https://dead.example.com/hook',
    })
    const { webhook_id: id } = created.body.data
    await org.start(kenyanPayin())
    const failed = 'attempts = 3, last_response_status = 500'
    await t.owner.query(`update deliveries set ${failed} where org_id = $1`, [org.orgId])
    expect(problemOf(await doctor(t.url, key))).toMatch(
      /^✗ webhooks +The endpoint https:\/\/dead\.example\.com\/hook accepts nothing \(last answer: 500\); mend it, then/,
    )
    await t.owner.query(`update webhooks set status = 'disabled' where webhook_id = $1`, [id])
    expect(problemOf(await doctor(t.url, key))).toContain(
      `was disabled because it accepted nothing; mend it, then`,
    )
    await org.call('DELETE', `/v1/public/webhooks/${id}`)
  })
})
