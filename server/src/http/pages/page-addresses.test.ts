import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'

const burst = 6
const t = useApp({ env: { PAGE_RATE_LIMIT_PER_SECOND: '1', PAGE_RATE_LIMIT_BURST: String(burst) } })

describe('429', () => {
  it('the pages of links in mails take from the same limit per address as those of payers', async () => {
    const token = 'a'.repeat(43)
    const calls: [string, string][] = [
      ['GET', `/verify/${token}`],
      ['GET', `/invitations/${token}`],
      ['GET', '/pay/none'],
    ]
    const statuses: number[] = []
    for (let call = 0; call < burst; call++) {
      const [method, path] = calls[call % calls.length] ?? ['GET', '/pay/none']
      statuses.push((await t.call(method, path)).status)
    }
    expect(statuses).not.toContain(429)
    const answer = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, rawBody: 'answer=1' }
    expect((await t.call('POST', `/verify/${token}`, answer)).status).toBe(429)
    for (const [method, path] of calls) {
      const refused = await t.call(method, path)
      expect([path, refused.status]).toEqual([path, 429])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('the API itself is not limited by it', async () => {
    for (let call = 0; call < burst * 2; call++)
      expect(
        (await t.call('GET', '/v1/organizations/none', { as: t.seed.platformAdmin.api_key })).status,
      ).not.toBe(429)
  })
})
