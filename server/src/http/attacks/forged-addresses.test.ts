import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberOf, startTestApp, useApp, type TestApp } from '../../../test/app/test-app.ts'

const pageBurst = 5
const limits = { PAGE_RATE_LIMIT_PER_SECOND: '1', PAGE_RATE_LIMIT_BURST: String(pageBurst) }
const forged = (request: number): string => `198.51.100.${request}`

/** Opens a page as often as it takes to reach the limit, each time with another forged address. */
async function openPages(t: TestApp, forwardedFor: (request: number) => string): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < 2 * pageBurst; request++) {
    const headers = { 'x-forwarded-for': forwardedFor(request) }
    statuses.push((await t.call('GET', '/pay/none', { headers })).status)
  }
  return statuses
}

async function auditedAddress(t: TestApp, forwardedFor: string): Promise<string | undefined> {
  const created = await t.call('POST', '/v1/public/api-keys', {
    as: memberOf(t.seed.orgs[0], 'org-admin').api_key,
    headers: { 'x-forwarded-for': forwardedFor },
    body: { name: 'audited' },
  })
  expect(created.status).toBe(201)
  const { rows } = await t.owner.query<{ ip: string }>('select ip from audit_log where request_id = $1', [
    created.headers['x-request-id'],
  ])
  return rows[0]?.ip
}

describe('without a proxy', () => {
  const t = useApp({ env: limits })

  it('another X-Forwarded-For with every request passes no limit', async () => {
    expect(await openPages(t, forged)).toContain(429)
  })

  it('the audit log names the address of the connection', async () => {
    expect(await auditedAddress(t, forged(1))).toBe('127.0.0.1')
  })
})

describe('behind a proxy that appends the address of its client', () => {
  const client = '203.0.113.9'
  let t: TestApp
  beforeAll(async () => {
    t = await startTestApp({ env: { ...limits, TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' } })
  })
  afterAll(() => t.close())

  it('another forged address with every request passes no limit', async () => {
    expect(await openPages(t, (request) => `${forged(request)}, ${client}`)).toContain(429)
  })

  it.each([
    ['one proxy', `198.51.100.7, ${client}`],
    ['a chain of two proxies', `198.51.100.7, ${client}, 10.1.2.3`],
    ['a forged address of a proxy', `10.9.9.9, ${client}`],
    ['text that is no address', `<script>, ${client}`],
  ])('the audit log names the client and never a forged address: %s', async (_what, header) => {
    expect(await auditedAddress(t, header)).toBe(client)
  })

  it('two clients of the proxy have a limit each', async () => {
    expect((await openPages(t, () => '203.0.113.20')).slice(0, pageBurst)).not.toContain(429)
    expect((await openPages(t, () => '203.0.113.21')).slice(0, pageBurst)).not.toContain(429)
  })
})
