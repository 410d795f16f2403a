import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokenVerifier, type TokenVerifier } from './token.ts'

let server: Server
let privateKey: CryptoKey
let verify: TokenVerifier

/** The published key names no algorithm, as many identity providers leave it out: only our list restricts it. */
beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true })
  privateKey = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one' }
  server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP listener has this kind of address
  verify = createTokenVerifier({
    issuer: 'https://id.test',
    audience: 'switchyard',
    jwksUrl: `http://127.0.0.1:${port}/keys`,
    orgClaim: 'org_id',
    emailClaim: 'email',
    emailVerifiedClaim: 'email_verified',
    type: 'at+jwt',
    maxAgeSeconds: 3600,
    algorithms: ['ES256', 'RS256'],
    requiredClaims: {},
  })
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

async function tokenSignedWith(algorithm: string): Promise<string> {
  const { subtle } = globalThis.crypto
  const hash = { name: 'RSASSA-PKCS1-v1_5', hash: `SHA-${algorithm.slice(2)}` }
  const key = await subtle.importKey('pkcs8', await subtle.exportKey('pkcs8', privateKey), hash, false, [
    'sign',
  ])
  return new SignJWT({ org_id: 'acme' })
    .setProtectedHeader({ alg: algorithm, kid: 'one', typ: 'at+jwt' })
    .setIssuer('https://id.test')
    .setAudience('switchyard')
    .setSubject('amina')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}

describe('a key set whose keys name no algorithm', () => {
  it('verifies a token by an algorithm of the list', async () => {
    expect(await verify(await tokenSignedWith('RS256'))).toEqual({
      userId: 'amina',
      orgId: 'acme',
      verifiedEmail: undefined,
      claims: {},
    })
  })

  it.each(['RS384', 'RS512'])('refuses %s, which fits the key and is not on the list', async (algorithm) => {
    const refused = verify(await tokenSignedWith(algorithm))
    await expect(refused).rejects.toMatchObject({ status: 401, cause: { code: 'ERR_JOSE_ALG_NOT_ALLOWED' } })
  })
})
