import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { createDeps } from '../../main/deps.ts'
import { apiRoutes } from '../../main/routes.ts'
import { credentialHeaders, memberOf, useApp } from '../../../test/app/test-app.ts'
import { buildServer } from '../server.ts'

const t = useApp({ env: { LOG_LEVEL: 'silent' } })
let claims: { sub: string; org_id: string }

beforeAll(() => {
  const [org] = t.seed.orgs
  claims = { sub: memberOf(org, 'staff').user_id, org_id: org?.org_id ?? '' }
})

async function listen(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const statusOf = async (token: string): Promise<number> =>
  (await t.call('GET', '/v1/users/me', { as: token })).status

describe('when the identity provider changes its key', () => {
  const coolDownMs = 6_000
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('old tokens are 401 and new ones work, without a restart', async () => {
    const oldToken = await t.identity.sign(claims)
    expect(await statusOf(oldToken)).toBe(200)
    await t.identity.rotate()
    const newToken = await t.identity.sign(claims)
    vi.setSystemTime(Date.now() + coolDownMs)
    expect(await statusOf(newToken)).toBe(200)
    expect(await statusOf(oldToken)).toBe(401)
  })

  it('tokens with unknown key ids do not cause a request to the identity provider each time', async () => {
    let asked = 0
    const provider = await listen((_request, response) => {
      asked++
      response.end(JSON.stringify({ keys: [t.identity.publicKey()] }))
    })
    const deps = await createDeps({ ...t.config, JWT_JWKS_URL: `${provider.url}/keys` }, { log: t.deps.log })
    const origin = { ip: '127.0.0.1', userAgent: undefined, requestId: 'test' }
    for (let attempt = 0; attempt < 10; attempt++) {
      const token = await t.identity.sign(claims, { keyId: newId() })
      await expect(deps.authenticators.token(token, origin)).rejects.toMatchObject({ status: 401 })
    }
    expect(asked).toBe(1)
    await deps.close()
    await provider.close()
  })
})

describe('503', () => {
  /** Starts a second api process without cached keys and returns its responses to a valid token and to an API key. */
  async function answersWithKeysFrom(jwksUrl: string): Promise<object> {
    const deps = await createDeps({ ...t.config, JWT_JWKS_URL: jwksUrl }, { log: t.deps.log })
    const app = await buildServer(
      deps,
      {
        publicUrl: t.config.PUBLIC_URL,
        bodyLimitBytes: 1000,
        trustProxy: [],
        rateLimit: { perSecond: 100, burst: 100 },
      },
      apiRoutes(deps),
    )
    const get = (credential: string) =>
      app.inject({ method: 'GET', url: '/v1/users/me', headers: credentialHeaders(credential) })
    try {
      const byToken = await get(await t.identity.sign(claims))
      const byKey = await get(memberOf(t.seed.orgs[0], 'staff').api_key)
      return { token: byToken.statusCode, retryAfter: byToken.headers['retry-after'], key: byKey.statusCode }
    } finally {
      await app.close()
      await deps.close()
    }
  }
  const unavailable = { token: 503, retryAfter: '1', key: 200 }

  it('without an identity provider and cached keys, tokens are refused for now and API keys still work', async () => {
    expect(await answersWithKeysFrom('http://127.0.0.1:1/keys')).toEqual(unavailable)
  })

  it.each([
    ['an error', 500, 'down for maintenance'],
    ['a page', 200, '<html>sign in</html>'],
    ['no key set', 200, '{}'],
    ['a redirect', 302, ''],
  ])('an identity provider that answers %s', async (_what, status, body) => {
    const location = t.identity.jwksUrl
    const broken = await listen((_request, response) => response.writeHead(status, { location }).end(body))
    expect(await answersWithKeysFrom(`${broken.url}/keys`)).toEqual(unavailable)
    await broken.close()
  })

  it('an identity provider that never responds', async () => {
    const silent = await listen(() => undefined)
    expect(await answersWithKeysFrom(`${silent.url}/keys`)).toEqual(unavailable)
    await silent.close()
  })
})

describe('200', () => {
  it('an outage of the identity provider has no effect while its keys are cached', async () => {
    const provider = await listen((_request, response) =>
      response.end(JSON.stringify({ keys: [t.identity.publicKey()] })),
    )
    const deps = await createDeps({ ...t.config, JWT_JWKS_URL: `${provider.url}/keys` }, { log: t.deps.log })
    const origin = { ip: '127.0.0.1', userAgent: undefined, requestId: 'test' }
    await deps.authenticators.token(await t.identity.sign(claims), origin)
    await provider.close()
    const caller = await deps.authenticators.token(await t.identity.sign(claims), origin)
    expect(caller.userId).toBe(claims.sub)
    await deps.close()
  })
})
