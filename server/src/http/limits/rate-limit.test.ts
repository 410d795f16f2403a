import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller, Credential } from '../../lib/requests/access.ts'
import { AppError } from '../../lib/errors.ts'
import { credentialHeaders, memberOf, startTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { createRateLimit } from './rate-limit.ts'

const callerWith = (credential: Credential, userId = 'user', orgId = 'org'): Caller => ({
  orgId,
  userId,
  role: 'viewer',
  permissions: new Set(),
  features: new Set(),
  credential,
  origin: { ip: '127.0.0.1', userAgent: undefined, requestId: 'test' },
})
const withKey = (apiKeyId: string): Caller => callerWith({ kind: 'api_key', apiKeyId })

function heldClock() {
  let nowMs = Date.parse('2026-03-01T00:00:00Z')
  return {
    now: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

/** Sends this many requests at once; returns how many pass and the error of the first that is refused. */
function burst(
  limit: (caller: Caller) => void,
  caller: Caller,
  requests: number,
): { passed: number; refusal: unknown } {
  let passed = 0
  let refusal: unknown
  for (let request = 0; request < requests; request++)
    try {
      limit(caller)
      passed++
    } catch (error) {
      refusal ??= error
    }
  return { passed, refusal }
}

describe('the limit of a credential', () => {
  it('lets a burst through and refuses the rest with 429 and Retry-After', () => {
    const limit = createRateLimit({ perSecond: 10, burst: 20, clock: heldClock() })
    const { passed, refusal } = burst(limit, withKey('a'), 50)
    expect(passed).toBe(20)
    expect(refusal).toBeInstanceOf(AppError)
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  })

  it('refills over time, up to the burst and not beyond', () => {
    const clock = heldClock()
    const limit = createRateLimit({ perSecond: 10, burst: 20, clock })
    burst(limit, withKey('a'), 50)
    clock.pass(500)
    expect(burst(limit, withKey('a'), 50).passed).toBe(5)
    clock.pass(60 * 60 * 1000)
    expect(burst(limit, withKey('a'), 50).passed).toBe(20)
  })

  it('refills fractions of a token, so that frequent requests lose nothing', () => {
    const clock = heldClock()
    const limit = createRateLimit({ perSecond: 10, burst: 1, clock })
    burst(limit, withKey('a'), 1)
    let passed = 0
    for (let step = 0; step < 100; step++) {
      clock.pass(10)
      passed += burst(limit, withKey('a'), 1).passed
    }
    expect(passed).toBeGreaterThanOrEqual(9)
    expect(passed).toBeLessThanOrEqual(10)
  })

  it('returns how long to wait, and waiting that long is enough', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 999 }),
        (perSecond, most, ms) => {
          const clock = heldClock()
          const limit = createRateLimit({ perSecond, burst: most, clock })
          burst(limit, withKey('a'), most)
          clock.pass(ms % Math.ceil(1000 / perSecond))
          const { refusal } = burst(limit, withKey('a'), 2)
          clock.pass(((refusal as AppError).retryAfterSeconds ?? 0) * 1000)
          expect(burst(limit, withKey('a'), 1).passed).toBe(1)
        },
      ),
    )
  })

  it('never lets through more than the burst and the refill', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 3000 }), fc.nat({ max: 30 }))), (steps) => {
        const clock = heldClock()
        const limit = createRateLimit({ perSecond: 5, burst: 10, clock })
        let passed = 0
        let elapsedMs = 0
        for (const [ms, requests] of steps) {
          clock.pass(ms)
          elapsedMs += ms
          passed += burst(limit, withKey('a'), requests).passed
        }
        expect(passed).toBeLessThanOrEqual(10 + (elapsedMs / 1000) * 5)
      }),
    )
  })

  it('does not refill when the clock goes back', () => {
    const clock = heldClock()
    const limit = createRateLimit({ perSecond: 10, burst: 5, clock })
    burst(limit, withKey('a'), 5)
    clock.pass(-60_000)
    expect(burst(limit, withKey('a'), 5).passed).toBe(0)
  })

  it('is separate for two keys of one user, two users, and one user in two organisations', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 3, clock: heldClock() })
    const jwt = { kind: 'jwt' } as const
    const callers = [
      withKey('a'),
      withKey('b'),
      callerWith(jwt),
      callerWith(jwt, 'other'),
      callerWith(jwt, 'user', 'elsewhere'),
    ]
    for (const caller of callers) expect(burst(limit, caller, 10).passed).toBe(3)
  })
})

describe('over HTTP', () => {
  const clock = heldClock()
  let t: TestApp
  beforeAll(async () => {
    t = await startTestApp({ clock, env: { RATE_LIMIT_PER_SECOND: '2', RATE_LIMIT_BURST: '4' } })
  })
  afterAll(() => t.close())

  const requests = async (key: string, count: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let request = 0; request < count; request++)
      statuses.push((await t.call('GET', '/v1/users/me', { as: key })).status)
    return statuses
  }

  it('429 has Retry-After and the standard body, and requests pass again later', async () => {
    const { api_key: key } = memberOf(t.seed.orgs[0], 'org-admin')
    expect(await requests(key, 6)).toEqual([200, 200, 200, 200, 429, 429])
    const refused = await t.call('GET', '/v1/users/me', { as: key })
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.body).toEqual({
      status: 'error',
      message: expect.any(String),
      code: 'RATE_LIMITED',
      request_id: expect.any(String),
    })
    clock.pass(1000)
    expect(await requests(key, 3)).toEqual([200, 200, 429])
  })

  it('forbidden requests count too', async () => {
    const { api_key: key } = memberOf(t.seed.orgs[0], 'viewer')
    const statuses: number[] = []
    for (let request = 0; request < 5; request++)
      statuses.push((await t.call('GET', '/v1/public/api-keys', { as: key })).status)
    expect(statuses).toEqual([403, 403, 403, 403, 429])
  })

  it('another credential is not affected, and public pages have no limit', async () => {
    await requests(memberOf(t.seed.orgs[1], 'viewer').api_key, 6)
    expect(await requests(memberOf(t.seed.orgs[1], 'staff').api_key, 1)).toEqual([200])
    for (let request = 0; request < 10; request++)
      expect((await t.app.inject('/healthz')).statusCode).toBe(200)
  })

  it('an invalid key does not use up the limit of a valid one', async () => {
    const { api_key: key } = memberOf(t.seed.orgs[1], 'org-admin')
    const wrong = { ...credentialHeaders(key), authorization: 'nothing' }
    for (let request = 0; request < 10; request++)
      expect((await t.call('GET', '/v1/users/me', { headers: wrong })).status).toBe(401)
    expect(await requests(key, 1)).toEqual([200])
  })
})
