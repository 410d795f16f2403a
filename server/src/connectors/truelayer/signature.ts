import { createPrivateKey, sign, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parseAnswer } from '../kit/parse-answer.ts'

interface SignedRequest {
  method: string
  path: string
  /** The signed headers, in the signed order and spelling. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string | Buffer
}

interface TlSignature {
  keyId: string
  jku: string | undefined
  headerNames: readonly string[]
  encodedHeader: string
  value: Buffer
}

const headerSchema = z.object({
  alg: z.literal('ES512'),
  kid: z.string().min(1),
  tl_version: z.literal('2'),
  tl_headers: z.string().default(''),
  jku: z.string().optional(),
})

/** The raw r and s of an ES512 signature. */
const dsaEncoding = 'ieee-p1363'

const encode = (content: string | Buffer): string => Buffer.from(content).toString('base64url')

/** A detached JWS over method, path, headers and body. */
function signedBytes(encodedHeader: string, { method, path, headers, body }: SignedRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join('')
  const payload = Buffer.concat([Buffer.from(`${method} ${path}\n${lines}`), Buffer.from(body)])
  return Buffer.from(`${encodedHeader}.${encode(payload)}`)
}

export function signRequest(request: SignedRequest, key: { id: string; pem: string }): string {
  const tl_headers = request.headers.map(([name]) => name).join(',')
  const header = encode(JSON.stringify({ alg: 'ES512', kid: key.id, tl_version: '2', tl_headers }))
  const options = { key: createPrivateKey(key.pem), dsaEncoding } as const
  return `${header}..${encode(sign('sha512', signedBytes(header, request), options))}`
}

/** Undefined unless it is a detached ES512 signature of the supported version. */
export function readSignature(text: string): TlSignature | undefined {
  const [, encodedHeader = '', signature = ''] = /^([\w-]+)\.\.([\w-]+)$/.exec(text) ?? []
  const header = parseAnswer(Buffer.from(encodedHeader, 'base64url').toString('utf8'), headerSchema)
  const headerNames = header?.tl_headers.split(',').filter((name) => name !== '') ?? []
  const value = Buffer.from(signature, 'base64url')
  return header && { keyId: header.kid, jku: header.jku, headerNames, encodedHeader, value }
}

export function isSignedWith(request: SignedRequest, signature: TlSignature, key: KeyObject): boolean {
  if (key.asymmetricKeyDetails?.namedCurve !== 'secp521r1') return false
  const signed = signedBytes(signature.encodedHeader, request)
  return verify('sha512', signed, { key, dsaEncoding }, signature.value)
}
