import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newApiKey } from '../../domains/people/api-keys/rules.ts'
import { newId } from '../../lib/ids.ts'
import { memberOf, startTestApp, type CallAnswer, type TestApp } from '../../../test/app/test-app.ts'
import { useSignIn } from '../../../test/worlds/test-sign-in.ts'

/** Each test has addresses of its own, which the proxy of these tests reports. */
const burst = 12
const startedAt = new Date()
const logged: string[] = []
const logTo = new PassThrough().on('data', (chunk: Buffer) => logged.push(...chunk.toString().split('\n')))
let t: TestApp
let tests = 0
let address: string

beforeAll(async () => {
  t = await startTestApp({
    logTo,
    clock: { now: () => startedAt },
    env: {
      LOG_LEVEL: 'info',
      TRUST_PROXY: '127.0.0.1',
      AUTH_FAILURES_PER_SECOND: '1',
      AUTH_FAILURES_BURST: String(burst),
    },
  })
})
afterAll(() => t.close())
beforeEach(() => {
  address = `203.0.113.${++tests}`
})

const whoAmI = (credential: string, from = address): Promise<CallAnswer> =>
  t.call('GET', '/v1/users/me', { as: credential, headers: { 'x-forwarded-for': from } })

async function guess(credentials: readonly string[], from?: string): Promise<number[]> {
  const statuses: number[] = []
  for (const credential of credentials) statuses.push((await whoAmI(credential, from)).status)
  return statuses
}
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const unknownKeys = (count: number): string[] => times(count, () => newApiKey('test'))
/** Keys with the prefix of a real one, as a list of keys shows it. */
const keysLike = (key: string, count: number): string[] =>
  unknownKeys(count).map((other) => key.slice(0, 12) + other.slice(12))

describe('guesses from one address', () => {
  it('are 429 with Retry-After after a burst of unknown keys', async () => {
    const statuses = await guess(unknownKeys(2 * burst))
    expect(statuses.slice(0, burst)).toEqual(times(burst, () => 401))
    expect(statuses.at(-1)).toBe(429)
    const refused = await whoAmI(newApiKey('test'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('are 429 after a burst of invalid tokens', async () => {
    const tokens = await Promise.all(
      times(2 * burst, () => t.identity.sign({ sub: newId(), org_id: newId() })),
    )
    expect((await guess(tokens)).at(-1)).toBe(429)
  })

  it('are 429 after a burst of invalid tokens for an invitation', async () => {
    const statuses: number[] = []
    for (let call = 0; call < 2 * burst; call++) {
      const answer = await t.call('POST', '/v1/organizations/invitations/accept', {
        as: 'not.a.token',
        headers: { 'x-forwarded-for': address },
        body: { token: 'x', first_name: 'Eve', last_name: 'Eve' },
      })
      statuses.push(answer.status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('count as one client for a whole IPv6 network', async () => {
    const statuses: number[] = []
    for (const [index, key] of unknownKeys(2 * burst).entries())
      statuses.push((await whoAmI(key, `2001:db8:0:1::${index + 1}`)).status)
    expect(statuses.at(-1)).toBe(429)
  })

  it('are logged with the address', async () => {
    await guess(unknownKeys(1))
    const line = logged.find((one) => one.includes(address))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ status: 401, ip: address, route: '/v1/users/me' })
  })
})

describe('the failures of an address', () => {
  const exhaust = async (): Promise<void> => {
    expect((await guess(unknownKeys(2 * burst))).at(-1)).toBe(429)
  }

  it('do not lock out a key and a user that nobody has seen there before', async () => {
    await exhaust()
    const admin = memberOf(t.seed.orgs[0], 'org-admin')
    const made = await t.call('POST', '/v1/public/api-keys', {
      as: admin.api_key,
      body: { name: 'made during the attack' },
    })
    const token = await t.identity.sign({ sub: admin.user_id, org_id: t.seed.orgs[0]?.org_id })
    expect(await guess([made.body.data.api_key, token])).toEqual([200, 200])
    expect(await guess(unknownKeys(1))).toEqual([429])
  })

  it('do not lock out the invited, who accept with a token of their own', async () => {
    await exhaust()
    const answer = await t.call('POST', '/v1/organizations/invitations/accept', {
      as: await t.identity.sign({ sub: newId() }),
      headers: { 'x-forwarded-for': address },
      body: { token: 'x', first_name: 'Ada', last_name: 'Obi' },
    })
    expect(answer.status).toBe(404)
  })

  it('do not lock out the owner of a key whose prefix is guessed', async () => {
    const { api_key: key } = memberOf(t.seed.orgs[1], 'org-admin')
    expect((await guess(keysLike(key, 2 * burst))).at(-1)).toBe(429)
    expect((await whoAmI(key)).status).toBe(200)
  })

  it('are limited for somebody whose credential has worked there, too', async () => {
    const viewer = memberOf(t.seed.orgs[0], 'viewer')
    const claims = { sub: viewer.user_id, org_id: t.seed.orgs[0]?.org_id }
    expect(await guess([await t.identity.sign(claims)])).toEqual([200])
    const forged = await Promise.all(times(4 * burst, () => t.identity.sign(claims, { audience: 'other' })))
    expect((await guess(forged)).at(-1)).toBe(429)
  })
})

describe('with sessions', () => {
  const s = useSignIn({
    clock: { now: () => startedAt },
    env: { LOG_LEVEL: 'silent', AUTH_FAILURES_PER_SECOND: '1', AUTH_FAILURES_BURST: String(burst) },
  })

  it('the failures of an address do not lock out who signs in there, and wrong cookies are limited', async () => {
    const cookies = times(2 * burst, () => `switchyard=${'A'.repeat(43)}`)
    const statuses: number[] = []
    for (const cookie of cookies) {
      const headers = { authorization: 'NONE', 'x-api-key': 'NONE', cookie }
      statuses.push((await s.t.call('GET', '/v1/users/me', { headers })).status)
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    const browser = s.newBrowser()
    await browser.signIn(await s.addAccount(s.t.seed.orgs[0]?.org_id ?? '', 'staff'))
    expect((await browser.call('GET', '/v1/users/me')).status).toBe(200)
  })
})
