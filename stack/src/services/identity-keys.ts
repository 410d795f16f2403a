import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'oidc-provider'

type IdentityKeys = { signingKey: JWK; cookieKey: string }

/** The provider's secrets, created on the first start, so that tokens remain valid after a restart. */
export async function loadIdentityKeys(dataDir: string): Promise<IdentityKeys> {
  const file = join(dataDir, 'identity-keys.json')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) return JSON.parse(stored)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' })
  const keys = {
    signingKey: { kty: kty ?? 'EC', crv, x, y, d, kid: randomUUID(), use: 'sig', alg: 'ES256' },
    cookieKey: randomBytes(32).toString('base64url'),
  }
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, JSON.stringify(keys, undefined, 2), { mode: 0o600 })
  return keys
}
