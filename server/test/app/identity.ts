import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'

export interface TestIdentity {
  issuer: string
  audience: string
  jwksUrl: string
  sign(claims: Record<string, unknown>, change?: TokenChange): Promise<string>
  /** Replaces the published key with a new one. */
  rotate(): Promise<void>
  publicKey(): JWK
  close(): Promise<void>
}

interface TokenChange {
  issuer?: string
  audience?: string
  expiresAt?: string | number
  keyId?: string
  notBefore?: string | number
  /** Null omits the claim. */
  issuedAt?: number | null
  /** Present and undefined omits the header. */
  type?: string | undefined
}

const now = (): number => Math.floor(Date.now() / 1000)

/** A key set that a test can rotate, served over HTTP as a real identity provider would. */
export async function startTestIdentity(): Promise<TestIdentity> {
  let generation = 0
  let current = await newKey(generation)
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [current.jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP listener has this kind of address
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    audience: 'switchyard',
    jwksUrl: `${issuer}/jwks`,
    publicKey: () => current.jwk,
    sign: (claims, change = {}) =>
      new SignJWT({ ...claims, ...(change.issuedAt !== null && { iat: change.issuedAt ?? now() }) })
        .setProtectedHeader({
          alg: 'ES256',
          kid: change.keyId ?? current.jwk.kid ?? '',
          ...('type' in change ? change.type !== undefined && { typ: change.type } : { typ: 'at+jwt' }),
        })
        .setIssuer(change.issuer ?? issuer)
        .setAudience(change.audience ?? 'switchyard')
        .setNotBefore(change.notBefore ?? '-1m')
        .setExpirationTime(change.expiresAt ?? '1h')
        .sign(current.privateKey),
    async rotate() {
      current = await newKey(++generation)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function newKey(generation: number): Promise<{ jwk: JWK; privateKey: CryptoKey }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  return {
    jwk: { ...(await exportJWK(publicKey)), kid: `key-${generation}`, alg: 'ES256', use: 'sig' },
    privateKey,
  }
}
