import { createHash, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listeningHosts } from '../testing/listening-hosts.ts'
import { scratchDir } from '../testing/scratch-dir.ts'
import type { IdentityAccount } from './identity-accounts.ts'
import { dashboardClientId, startIdentity, type Identity } from './identity.ts'
import { freePort } from './ports.ts'

const accounts = new Map<string, IdentityAccount>()
const directory = { find: (userId: string) => accounts.get(userId), list: () => [...accounts.values()] }
const redirectUri = 'http://127.0.0.1:5199/callback'

let scratch: Awaited<ReturnType<typeof scratchDir>>
let port: number
let identity: Identity

beforeAll(async () => {
  scratch = await scratchDir()
  port = await freePort()
  identity = await startIdentity({ port, dataDir: scratch.path, accounts: directory })
  accounts.set('usr_ada', { user_id: 'usr_ada', email: 'ada@example.com', org_id: 'org_one' })
})

afterAll(async () => {
  await identity.stop()
  await scratch.remove()
})

async function verify(token: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(identity.jwksUrl))
  return (await jwtVerify(token, keys, { issuer: identity.issuer, audience: 'switchyard', typ: 'at+jwt' }))
    .payload
}

test('an issued token verifies against the published keys and is valid for a day', async () => {
  const payload = await verify(await identity.issueToken('usr_ada', 'org_two'))
  expect(payload).toMatchObject({
    sub: 'usr_ada',
    org_id: 'org_two',
    email: 'ada@example.com',
    email_verified: true,
  })
  expect(payload.exp! - payload.iat!).toBe(86_400)
})

test('a token can be issued for a shorter time', async () => {
  const payload = await verify(await identity.issueToken('usr_ada', 'org_one', { ttlSeconds: 60 }))
  expect(payload.exp! - payload.iat!).toBe(60)
})

test('no token is issued for an unknown account', async () => {
  await expect(identity.issueToken('usr_nobody', 'org_one')).rejects.toThrow('knows no account usr_nobody')
})

test('the discovery document contains the URL of the keys', async () => {
  const document = await (await fetch(`${identity.issuer}/.well-known/openid-configuration`)).json()
  expect(document).toMatchObject({ issuer: identity.issuer, jwks_uri: identity.jwksUrl })
})

test('a token issued before a restart is valid after it', async () => {
  const token = await identity.issueToken('usr_ada', 'org_one')
  await identity.stop()
  identity = await startIdentity({ port, dataDir: scratch.path, accounts: directory })
  expect(await verify(token)).toMatchObject({ sub: 'usr_ada' })
  expect((await stat(join(scratch.path, 'identity-keys.json'))).mode & 0o777).toBe(0o600)
})

test.runIf(process.platform === 'linux')('it listens on loopback only', async () => {
  expect(await listeningHosts(port)).toEqual(['127.0.0.1'])
})

/** A minimal browser for signing in: it keeps cookies and returns the target of a redirect. */
function browser(): (
  url: string,
  form?: Record<string, string>,
) => Promise<{ location: string; body: string }> {
  const cookies = new Map<string, string>()
  return async (url, form) => {
    const response = await fetch(new URL(url, identity.issuer), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return { location: response.headers.get('location') ?? '', body: await response.text() }
  }
}

function authorizeUrl(challenge: string): string {
  const parameters = new URLSearchParams({
    client_id: dashboardClientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `/auth?${parameters.toString()}`
}

test('the dashboard signs in by picking an account, with PKCE, on any loopback port', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const visit = browser()
  const start = await visit(authorizeUrl(createHash('sha256').update(verifier).digest('base64url')))
  const page = await visit(start.location)
  expect(page.body).toContain('value="usr_ada"')
  const chosen = await visit(start.location, { account: 'usr_ada' })
  const returned = await visit(chosen.location)
  expect(returned.location).toMatch(/^http:\/\/127\.0\.0\.1:5199\/callback\?code=/)

  const response = await fetch(`${identity.issuer}/token`, {
    method: 'POST',
    headers: { origin: 'http://127.0.0.1:5199' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: dashboardClientId,
      code: new URL(returned.location).searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  })
  expect(response.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5199')
  const { access_token } = (await response.json()) as { access_token: string }
  expect(await verify(access_token)).toMatchObject({
    sub: 'usr_ada',
    org_id: 'org_one',
    email: 'ada@example.com',
  })
})

test('an unknown account cannot be picked', async () => {
  const visit = browser()
  const start = await visit(authorizeUrl('a'.repeat(43)))
  const answer = await visit(start.location, { account: 'usr_nobody' })
  expect(answer.body).toContain('There is no such account')
})

test('an authorization without PKCE is refused', async () => {
  const answer = await browser()(authorizeUrl('').replace(/&code_challenge.*/, ''))
  expect(answer.location).toContain('error=invalid_request')
})

test('a redirect to another machine is refused', async () => {
  const url = authorizeUrl('a'.repeat(43)).replace('127.0.0.1', 'evil.example')
  const answer = await browser()(url)
  expect(answer.location).toBe('')
  expect(answer.body).toContain('redirect_uri')
})

test('in a network it has the name that others use, and knows one dashboard', async () => {
  const networkPort = await freePort()
  const issuer = `http://identity.localhost:${networkPort}`
  const networked = await startIdentity({
    port: networkPort,
    dataDir: scratch.path,
    accounts: directory,
    network: { host: '127.0.0.1', issuer, dashboardUrl: 'http://switchyard.localhost:8080' },
  })
  const authorize = (redirect: string) => {
    const query = new URLSearchParams({
      client_id: dashboardClientId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: createHash('sha256').update('verifier').digest('base64url'),
      code_challenge_method: 'S256',
    })
    return fetch(`http://127.0.0.1:${networkPort}/auth?${query.toString()}`, { redirect: 'manual' })
  }
  try {
    expect(networked).toMatchObject({ issuer, jwksUrl: `${issuer}/jwks` })
    expect((await authorize('http://switchyard.localhost:8080/auth/callback')).status).toBe(303)
    expect((await authorize('http://127.0.0.1:8080/auth/callback')).status).toBe(400)
  } finally {
    await networked.stop()
  }
})
