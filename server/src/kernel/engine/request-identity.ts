import type { IncomingHttpHeaders } from 'node:http2'
import { importJWK, jwtVerify, type CryptoKey } from 'jose'
import { fromBase58 } from '../../lib/instruments/base58.ts'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'

/** Whether a call to this path was signed by an engine whose key is configured. */
type IdentityCheck = (path: string, headers: IncomingHttpHeaders) => boolean | Promise<boolean>

const keyPrefix = 'publickeyv1_'
const keyBytes = 32
const tokensLimit = 1_000

/**
 * The engine signs each call with a token for its path, which is the same for all calls to a path within a second. The
 * SDK verifies it on every call, which costs a third of a millisecond; this caches a valid token until it expires.
 */
export function createIdentityCheck(identityKeys: readonly string[]): IdentityCheck {
  const keys = new Map(identityKeys.map((name) => [name, importKey(name)]))
  const validUntilSeconds = boundedMap<string, number>(tokensLimit)
  return (path, headers) => {
    const token = headers['x-restate-jwt-v1']
    if (headers['x-restate-signature-scheme'] !== 'v1' || typeof token !== 'string') return false
    const call = `${path} ${token}`
    if (Date.now() / 1_000 < (validUntilSeconds.get(call) ?? 0)) return true
    return verify(keys, token, path).then(
      (expiresAt) => {
        validUntilSeconds.set(call, expiresAt)
        return true
      },
      () => false,
    )
  }
}

async function verify(
  keys: ReadonlyMap<string, Promise<CryptoKey>>,
  token: string,
  path: string,
): Promise<number> {
  const { payload } = await jwtVerify(
    token,
    ({ kid = '' }) => keys.get(kid) ?? Promise.reject(new Error('the key is not configured')),
    { algorithms: ['EdDSA'], audience: path, requiredClaims: ['iat', 'nbf', 'exp'] },
  )
  return payload.exp ?? 0
}

async function importKey(name: string): Promise<CryptoKey> {
  const bytes = name.startsWith(keyPrefix) ? fromBase58(name.slice(keyPrefix.length)) : undefined
  if (bytes?.length !== keyBytes) throw new Error(`${name} is not the public key of an engine`)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  const key = await importJWK(jwk, 'EdDSA')
  if (key instanceof Uint8Array) throw new Error('an Ed25519 key is never a shared secret')
  return key
}
