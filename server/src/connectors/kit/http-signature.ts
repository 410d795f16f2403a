import { constants, createHash, createPrivateKey, sign, verify, type KeyObject } from 'node:crypto'
import { equalInConstantTime } from '../../lib/crypto/crypto.ts'

/** HTTP message signatures (RFC 9421) with a content digest (RFC 9530). */
const algorithms = {
  'ecdsa-p256-sha256': { hash: 'sha256', keyType: 'ec', curve: 'prime256v1' },
  'ecdsa-p384-sha384': { hash: 'sha384', keyType: 'ec', curve: 'secp384r1' },
  'rsa-pss-sha512': { hash: 'sha512', keyType: 'rsa', curve: undefined },
  'rsa-v1_5-sha256': { hash: 'sha256', keyType: 'rsa', curve: undefined },
} as const
export type SignatureAlgorithm = keyof typeof algorithms

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }

export interface SignedMessage {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rawBody: Buffer
}

export interface MessageSignature {
  readonly components: readonly string[]
  /** The raw member of `Signature-Input`, which is part of what is signed. */
  readonly parameters: string
  readonly algorithm: SignatureAlgorithm
  readonly keyId: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly value: Buffer
}

/** Undefined unless there is exactly one signature, with this label and every parameter that we need. */
export function readSignature(message: SignedMessage, label: string): MessageSignature | undefined {
  const input = /^([\w-]+)=(\(((?:"[^"\\]+" ?)*)\)((?:;[a-z]+=(?:"[^"\\]*"|\d+))*))$/.exec(
    headerOf(message, 'signature-input') ?? '',
  )
  const value = /^([\w-]+)=:([A-Za-z0-9+/=]+):$/.exec(headerOf(message, 'signature') ?? '')
  if (!input || !value || input[1] !== label || value[1] !== label) return undefined
  const components = [...(input[3] ?? '').matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '')
  const given = new Map(
    [...(input[4] ?? '').matchAll(/;([a-z]+)=("?)([^";]*)\2/g)].map((match) => [match[1], match[3] ?? '']),
  )
  const algorithm = given.get('alg') ?? ''
  const [createdAtMs, expiresAtMs] = ['created', 'expires'].map((name) => Number(given.get(name)) * 1_000)
  if (!isAlgorithm(algorithm) || new Set(components).size < components.length) return undefined
  if (!Number.isSafeInteger(createdAtMs) || !Number.isSafeInteger(expiresAtMs)) return undefined
  return {
    components,
    parameters: input[2] ?? '',
    algorithm,
    keyId: given.get('keyid') ?? '',
    createdAtMs: createdAtMs ?? 0,
    expiresAtMs: expiresAtMs ?? 0,
    value: Buffer.from(value[2] ?? '', 'base64'),
  }
}

const isAlgorithm = (name: string): name is SignatureAlgorithm => Object.hasOwn(algorithms, name)

/** There must be at least one digest of a known algorithm, and each of them must match. */
export function fitsDigest(message: SignedMessage): boolean {
  const digests = (headerOf(message, 'content-digest') ?? '').split(',').flatMap((member) => {
    const match = /^\s*sha-(256|512)=:([A-Za-z0-9+/=]+):\s*$/.exec(member)
    return match ? [{ hash: `sha${match[1]}`, value: Buffer.from(match[2] ?? '', 'base64') }] : []
  })
  return (
    digests.length > 0 &&
    digests.every(({ hash, value }) => equalInConstantTime(digestOf(hash, message.rawBody), value))
  )
}

export function isSignedWith(message: SignedMessage, signature: MessageSignature, key: KeyObject): boolean {
  const { hash, keyType, curve } = algorithms[signature.algorithm]
  const isRightKey = key.asymmetricKeyType === keyType && key.asymmetricKeyDetails?.namedCurve === curve
  const base = signatureBase(message, signature)
  if (!isRightKey || base === undefined) return false
  if (keyType === 'rsa') {
    const options = signature.algorithm === 'rsa-pss-sha512' ? { key, ...pss } : key
    return verify(hash, base, options, signature.value)
  }
  // RFC 9421 requires raw r and s; some providers send DER. The two forms cannot be confused.
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) =>
    verify(hash, base, { key, dsaEncoding }, signature.value),
  )
}

interface Signer {
  readonly label: string
  readonly keyId: string
  readonly algorithm: SignatureAlgorithm
  readonly privateKeyPem: string
  readonly at: Date
  readonly lifetimeSeconds: number
}

/** The headers that sign a request with a body. */
export function signMessage(message: SignedMessage, signer: Signer): Record<string, string> {
  const created = Math.floor(signer.at.getTime() / 1_000)
  const added = {
    'content-digest': `sha-512=:${digestOf('sha512', message.rawBody).toString('base64')}:`,
    'signature-date': signer.at.toISOString(),
  }
  const components = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type']
  const parameters = `(${components.map((name) => `"${name}"`).join(' ')});alg="${signer.algorithm}";keyid="${signer.keyId}";created=${created};expires=${created + signer.lifetimeSeconds}`
  const headers = { ...message.headers, ...added }
  const base = signatureBase({ ...message, headers }, { components, parameters })
  if (base === undefined) throw new Error('a request without content-type cannot be signed')
  const { hash, keyType } = algorithms[signer.algorithm]
  const key = createPrivateKey(signer.privateKeyPem)
  const padding = signer.algorithm === 'rsa-pss-sha512' ? pss : {}
  const encoding = keyType === 'ec' ? { dsaEncoding: 'ieee-p1363' as const } : padding
  const value = sign(hash, base, { key, ...encoding }).toString('base64')
  return {
    ...added,
    'signature-input': `${signer.label}=${parameters}`,
    signature: `${signer.label}=:${value}:`,
  }
}

function signatureBase(
  message: SignedMessage,
  { components, parameters }: Pick<MessageSignature, 'components' | 'parameters'>,
): Buffer | undefined {
  const values = components.map((name) => componentOf(message, name))
  if (values.includes(undefined)) return undefined
  const lines = components.map((name, index) => `"${name}": ${values[index]}`)
  return Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'))
}

function componentOf(message: SignedMessage, name: string): string | undefined {
  const url = new URL(message.url)
  switch (name) {
    case '@method':
      return message.method
    case '@authority':
      return url.host
    case '@path':
      return url.pathname
    case '@query':
      return url.search === '' ? '?' : url.search
    case '@scheme':
      return url.protocol.replace(':', '')
    case '@target-uri':
      return message.url
    default:
      return headerOf(message, name)
  }
}

function headerOf({ headers }: SignedMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.map((one) => one.trim()).join(', ') : value?.trim()
}

const digestOf = (hash: string, body: Buffer): Buffer => createHash(hash).update(body).digest()
