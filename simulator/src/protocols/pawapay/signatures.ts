import { constants, createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { z } from 'zod'

export const KEY_ID = 'HTTP_EC_P256_KEY:1'
const LABEL = 'sig-pp'
const LIFETIME_SECONDS = 60

interface SignedMessage {
  readonly method: string
  readonly authority: string
  readonly path: string
  readonly contentType: string
  readonly body: string | Buffer
}

export const signingKeySchema = z.object({ privateKeyPem: z.string(), publicKeyPem: z.string() })
export type SigningKey = z.infer<typeof signingKeySchema>

export function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

/** The headers of RFC 9421 as pawaPay sends them: SHA-512 digest, ECDSA P-256. */
export function signMessage(message: SignedMessage, key: SigningKey, at: Date): Record<string, string> {
  const created = Math.floor(at.getTime() / 1_000)
  const headers = {
    'content-digest': `sha-512=:${digest('sha512', message.body)}:`,
    'signature-date': at.toISOString(),
  }
  const components = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type']
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});alg="ecdsa-p256-sha256";keyid="${KEY_ID}";created=${created};expires=${created + LIFETIME_SECONDS}`
  const base = signatureBase(
    { components, parameters },
    (name) => valueOf(message, name) ?? Reflect.get(headers, name),
  )
  // RFC 9421 requires raw r and s, but pawaPay's sample and its real callbacks contain DER.
  const signature = sign('sha256', Buffer.from(base ?? ''), { key: key.privateKeyPem, dsaEncoding: 'der' })
  return {
    ...headers,
    'signature-input': `${LABEL}=${parameters}`,
    signature: `${LABEL}=:${signature.toString('base64')}:`,
  }
}

interface ReceivedMessage extends SignedMessage {
  readonly header: (name: string) => string | undefined
}

/** True if the body matches its digest and the signature is valid and has not expired. */
export function isSignedBy(message: ReceivedMessage, publicKeyPem: string, at: Date): boolean {
  const input = parseInput(message.header('signature-input') ?? '')
  const value = /=:([A-Za-z0-9+/=]+):$/.exec(message.header('signature') ?? '')?.[1]
  if (input === undefined || value === undefined || !fitsDigest(message)) return false
  if (input.expiresSeconds !== undefined && input.expiresSeconds * 1_000 < at.getTime()) return false
  if (!input.components.includes('content-digest')) return false
  const base = signatureBase(input, (name) => valueOf(message, name) ?? message.header(name))
  return (
    base !== undefined &&
    verifies({ base, algorithm: input.algorithm, publicKeyPem }, Buffer.from(value, 'base64'))
  )
}

interface SignatureInput {
  readonly components: readonly string[]
  readonly parameters: string
}

function signatureBase(
  input: SignatureInput,
  valueFor: (name: string) => string | undefined,
): string | undefined {
  const values = input.components.map((name) => [name, valueFor(name)] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  const lines = values.map(([name, value]) => `"${name}": ${value}`)
  return [...lines, `"@signature-params": ${input.parameters}`].join('\n')
}

function parseInput(header: string) {
  const match = /^[\w-]+=(\(([^)]*)\)(.*))$/.exec(header)
  if (match === null) return undefined
  const [, parameters = '', components = '', tail = ''] = match
  const expires = /;expires=(\d+)/.exec(tail)?.[1]
  return {
    parameters,
    components: [...components.matchAll(/"([^"]+)"/g)].map((part) => part[1] ?? ''),
    algorithm: /;alg="([^"]+)"/.exec(tail)?.[1] ?? '',
    expiresSeconds: expires === undefined ? undefined : Number(expires),
  }
}

function valueOf(message: SignedMessage, component: string): string | undefined {
  switch (component) {
    case '@method':
      return message.method
    case '@authority':
      return message.authority
    case '@path':
      return message.path
    case 'content-type':
      return message.contentType
    default:
      return undefined
  }
}

function fitsDigest(message: ReceivedMessage): boolean {
  const match = /^sha-(256|512)=:([A-Za-z0-9+/=]+):$/.exec(message.header('content-digest') ?? '')
  return match !== null && digest(`sha${match[1]}`, message.body) === match[2]
}

interface Verification {
  readonly base: string
  readonly algorithm: string
  readonly publicKeyPem: string
}

function verifies({ base, algorithm, publicKeyPem: key }: Verification, signature: Buffer): boolean {
  const data = Buffer.from(base)
  const isEcdsa = (hash: string) =>
    verify(hash, data, { key, dsaEncoding: 'der' }, signature) ||
    verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return isEcdsa('sha256')
    case 'ecdsa-p384-sha384':
      return isEcdsa('sha384')
    case 'rsa-pss-sha512':
      return verify('sha512', data, pss, signature)
    case 'rsa-v1_5-sha256':
      return verify('sha256', data, key, signature)
    default:
      return false
  }
}

function digest(algorithm: string, body: string | Buffer): string {
  return createHash(algorithm).update(body).digest('base64')
}
