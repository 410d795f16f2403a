import { createHmac, createPublicKey } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { memberOf, startTestApp, type CallAnswer, type TestApp } from '../../../test/app/test-app.ts'

type SigningKey = Awaited<ReturnType<typeof newKey>>

/** An identity provider for this file only, with an RSA and an EC key. */
let rsa: SigningKey
let ec: SigningKey
let attacker: SigningKey
let provider: { url: string; close(): Promise<void> }
let t: TestApp
let claims: { sub: string; org_id: string }

beforeAll(async () => {
  ;[rsa, ec, attacker] = await Promise.all([
    newKey('RS256', 'rsa'),
    newKey('ES256', 'ec'),
    newKey('ES256', 'ec'),
  ])
  provider = await listen((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [rsa.jwk, ec.jwk] }))
  })
  t = await startTestApp({ env: { JWT_JWKS_URL: `${provider.url}/keys` } })
  const [org] = t.seed.orgs
  claims = { sub: memberOf(org, 'staff').user_id, org_id: org?.org_id ?? '' }
})
afterAll(async () => {
  await t.close()
  await provider.close()
})

async function newKey(alg: string, kid: string) {
  const pair = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, ...pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } }
}

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

const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow
const goodClaims = (): Record<string, unknown> => ({
  ...claims,
  iss: t.config.JWT_ISSUER,
  aud: t.config.JWT_AUDIENCE,
  iat: seconds(0),
  exp: seconds(600),
})

/** A claim whose value is undefined is omitted. */
const sign = (
  key: SigningKey,
  change: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
) =>
  new SignJWT({ ...goodClaims(), ...change })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.privateKey)

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (header: object, payload: object = goodClaims()): string =>
  `${encode(header)}.${encode(payload)}`
const withHmac = (secret: string | Buffer, alg: string, kid: string): string => {
  const body = unsigned({ alg, kid, typ: 'JWT' })
  return `${body}.${createHmac(alg.replace('HS', 'sha'), secret).update(body).digest('base64url')}`
}

const whoAmI = (token: string): Promise<CallAnswer> => t.call('GET', '/v1/users/me', { as: token })

async function expectRefused(token: string): Promise<void> {
  const answer = await whoAmI(token)
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({
    status: 'error',
    message: expect.any(String),
    code: 'UNAUTHORIZED',
    request_id: expect.any(String),
  })
}

describe('200', () => {
  it.each(['RS256', 'ES256'])(
    'a token signed with %s authenticates its user in its organisation',
    async (alg) => {
      const answer = await whoAmI(await sign(alg === 'RS256' ? rsa : ec))
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({
        user_id: claims.sub,
        org_id: claims.org_id,
        role: 'staff',
        credential: 'jwt',
      })
    },
  )

  it('a token for several audiences is accepted when ours is among them', async () => {
    expect((await whoAmI(await sign(ec, { aud: ['other', t.config.JWT_AUDIENCE] }))).status).toBe(200)
  })

  it('clocks may differ by a few seconds', async () => {
    expect((await whoAmI(await sign(ec, { exp: seconds(-5), nbf: seconds(5) }))).status).toBe(200)
  })
})

describe('401', () => {
  it.each(['none', 'None', 'NONE', ''])('a token with alg %j is refused', async (alg) => {
    await expectRefused(`${unsigned({ alg, kid: 'ec' })}.`)
    await expectRefused(`${unsigned({ alg, kid: 'ec' })}.${(await sign(ec)).split('.')[2]}`)
  })

  it.each(['HS256', 'HS384', 'HS512'])(
    'the public key is not accepted as a shared secret for %s',
    async (alg) => {
      for (const key of [rsa, ec]) {
        const pem = createPublicKey({ key: key.jwk, format: 'jwk' })
        const secrets = [
          pem.export({ type: 'spki', format: 'pem' }),
          String(pem.export({ type: 'spki', format: 'pem' })).trim(),
          pem.export({ type: 'spki', format: 'der' }),
          JSON.stringify(key.jwk),
          '',
        ]
        for (const secret of secrets) await expectRefused(withHmac(secret, alg, key.kid))
      }
    },
  )

  it.each([
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['the issuer with a slash more', () => ({ iss: `${t.config.JWT_ISSUER}/` })],
    ['no issuer', () => ({ iss: undefined })],
    ['another audience', () => ({ aud: 'other' })],
    ['no audience', () => ({ aud: undefined })],
    ['an empty list of audiences', () => ({ aud: [] })],
    ['an end two minutes ago', () => ({ exp: seconds(-120) })],
    ['an end that is no number', () => ({ exp: 'tomorrow' })],
    ['no end', () => ({ exp: undefined })],
    ['a beginning in two minutes', () => ({ nbf: seconds(120) })],
    ['no subject', () => ({ sub: undefined })],
    ['an empty subject', () => ({ sub: '' })],
    ['a subject that is no text', () => ({ sub: { $ne: '' } })],
    ['another subject', () => ({ sub: newId() })],
    ['no organisation', () => ({ org_id: undefined })],
    ['an organisation that is no text', () => ({ org_id: [claims.org_id] })],
    ['an organisation that is no id', () => ({ org_id: `${claims.org_id}' or '1'='1` })],
    ['an organisation that does not exist', () => ({ org_id: newId() })],
    ['an organisation without this member', () => ({ org_id: t.seed.orgs[1]?.org_id })],
    ['the organisation of the operator', () => ({ org_id: t.seed.platformAdmin.org_id })],
  ])('a well-signed token with %s is refused', async (_what, change) => {
    await expectRefused(await sign(ec, change()))
  })

  it('an unpublished key is refused, under its own key id and under a published one', async () => {
    await expectRefused(await sign({ ...attacker, kid: 'unknown' }))
    await expectRefused(await sign(attacker))
    await expectRefused(await sign({ ...attacker, kid: '../../../dev/null' }))
  })

  it('keys that a token contains or points to are ignored and never fetched', async () => {
    let fetched = 0
    const evil = await listen((_request, response) => {
      fetched++
      response.end(JSON.stringify({ keys: [attacker.jwk] }))
    })
    const headers: Partial<JWTHeaderParameters>[] = [
      { jwk: attacker.jwk },
      { jku: `${evil.url}/keys` },
      { x5u: `${evil.url}/keys` },
      { kid: `${evil.url}/keys`, jku: `${evil.url}/keys` },
    ]
    for (const header of headers) await expectRefused(await sign(attacker, {}, header))
    expect(fetched).toBe(0)
    await evil.close()
  })

  it('a changed payload is refused', async () => {
    const [header, , signature] = (await sign(ec)).split('.')
    const admin = memberOf(t.seed.orgs[0], 'org-admin').user_id
    await expectRefused(`${header}.${encode({ ...goodClaims(), sub: admin })}.${signature}`)
  })

  it('a changed, missing or empty signature is refused', async () => {
    const [header, payload, signature = ''] = (await sign(ec)).split('.')
    const flipped = Buffer.from(signature, 'base64url').map((byte, index) => (index === 9 ? byte ^ 1 : byte))
    await expectRefused(`${header}.${payload}.${Buffer.from(flipped).toString('base64url')}`)
    await expectRefused(`${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`)
    await expectRefused(`${header}.${payload}.`)
    await expectRefused(`${header}.${payload}`)
  })

  it('an algorithm that does not match the key is refused', async () => {
    const [, payload, signature] = (await sign(ec)).split('.')
    for (const header of [
      { alg: 'RS256', kid: 'ec' },
      { alg: 'ES384', kid: 'ec' },
      { alg: 'ES256', kid: 'rsa' },
    ])
      await expectRefused(`${encode(header)}.${payload}.${signature}`)
  })

  it('an unknown critical header is refused', async () => {
    const token = await new SignJWT(goodClaims())
      .setProtectedHeader({ alg: ec.alg, kid: ec.kid, typ: 'at+jwt', crit: ['x'], x: 1 })
      .sign(ec.privateKey, { crit: { x: true } })
    await expectRefused(token)
  })

  it.each(['a.b.c', '..', 'e30.e30.e30', 'A'.repeat(6000)])(
    'a malformed token is refused: %.12s',
    async (token) => {
      await expectRefused(token)
    },
  )
})
