import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCli } from '@switchyard/cli/testing/cli-process.ts'
import { keyEnv, runInProcess, type CliRun } from '@switchyard/cli/testing/test-io.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { memberOf } from '../app/test-app.ts'
import { kenyanPayin, openPayments, usePayments, type OrgPayments } from '../worlds/test-payments.ts'
import { expiredCertificate, testCertificate, testKey } from '../app/test-certificates.ts'

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

/** As a process of its own, because Node reads the certificates it trusts when it starts. */
async function tlsProblem(baseUrl: string, env: Record<string, string> = {}): Promise<string> {
  const run = await startCli(['doctor'], { env: { ...keyEnv(baseUrl, key), ...env } }).ended
  const finding = JSON.parse(run.stdout)
  expect({ code: run.code, check: finding.check, ok: finding.ok }).toEqual({
    code: 1,
    check: 'tls',
    ok: false,
  })
  return finding.text
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
      /^✗ address +Nothing is listening at http:\/\/127\.0\.0\.1:\d+; start the server/,
    )
    expect(problemOf(await doctor('http://switchyard.invalid', key))).toContain(
      'The host switchyard.invalid does not exist; correct',
    )
    const other = createServer((_request, response) => response.end('<html>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect(problemOf(await doctor(`http://127.0.0.1:${port}`, key))).toContain('not like Switchyard')
    other.close()
  })

  it('names a port that does not speak TLS', async () => {
    expect(await tlsProblem(t.url.replace('http:', 'https:'))).toMatch(
      /can be reached, but it does not speak TLS on this port; use http:/,
    )
  })

  it.each([
    { certificate: testCertificate, host: 'localhost', text: 'is self-signed; point NODE_EXTRA_CA_CERTS' },
    {
      certificate: testCertificate,
      host: '127.0.0.1',
      isTrusted: true,
      text: 'is for another name; check the host',
    },
    { certificate: expiredCertificate, host: 'localhost', isTrusted: true, text: 'has expired; renew it' },
  ])('names a certificate that $text', async ({ certificate, host, isTrusted = false, text }) => {
    const directory = mkdtempSync(join(tmpdir(), 'doctor-'))
    const trusted = join(directory, 'trusted.pem')
    writeFileSync(trusted, certificate)
    const secure = createSecureServer({ key: testKey, cert: certificate })
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const { port } = secure.address() as AddressInfo // It listens on a port.
    expect(
      await tlsProblem(`https://${host}:${port}`, isTrusted ? { NODE_EXTRA_CA_CERTS: trusted } : {}),
    ).toContain(text)
    secure.close()
    rmSync(directory, { recursive: true })
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
      /^✗ permissions +The key lacks payments:write \(payments initiate, trigger\).*; an administrator can grant it/,
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
      /^✗ webhooks +The endpoint https:\/\/dead\.example\.com\/hook accepts no deliveries \(last response: 500\); fix it, then run/,
    )
    await t.owner.query(`update webhooks set status = 'disabled' where webhook_id = $1`, [id])
    expect(problemOf(await doctor(t.url, key))).toContain(
      `was disabled because it accepted no deliveries; fix it, then run`,
    )
    await org.call('DELETE', `/v1/public/webhooks/${id}`)
  })
})
