import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import { startHttpListener } from './http-listener.ts'

/** `refuses`: as after a change of its policy. `hangs`: it accepts the connection and says nothing. */
type KmsMode = 'serves' | 'refuses' | 'hangs' | 'fails'

type KmsOptions = {
  port: number
  keyIds: readonly string[]
  mode?: KmsMode
  /** How far its clock is ahead of ours. */
  clockAheadMs?: number
}

export type Kms = {
  readonly url: string
  /** The settings of a process that uses the first key. */
  readonly env: Record<string, string>
  /** Where a process without an access key gets the credentials of its role, as from the agent of a pod. */
  readonly roleEnv: Record<string, string>
  mode: KmsMode
  /** How many requests have arrived, whatever became of them. */
  readonly requestCount: number
  /** What was asked, such as `Decrypt key-1`, in order. */
  readonly calls: string[]
  stop(): Promise<void>
}

type Keys = ReadonlyMap<string, Buffer>

const region = 'eu-west-1'
const accessKey = { id: 'AKIDSWITCHYARD', secret: 'the-secret-of-the-local-kms', token: undefined }
const roleKey = {
  id: 'ASIASWITCHYARD',
  secret: 'the-secret-of-the-local-role',
  token: 'the-token-of-the-local-role',
}
const rolePath = '/role'
const roleLifetimeMs = 60 * 60_000
const clockSkewMs = 5 * 60_000
const bodyLimitBytes = 65_536
const ivBytes = 12
const tagBytes = 16

class Refusal extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, status = 400) {
    super(code)
    this.code = code
    this.status = status
  }
}

/**
 * Speaks the part of AWS KMS's protocol that wraps keys: Encrypt and Decrypt in JSON 1.1, under Signature Version 4.
 * The master keys are derived from their ids, so that a server that is started again opens what an earlier one wrapped.
 */
export async function startKms({
  port,
  keyIds,
  mode = 'serves',
  clockAheadMs = 0,
}: KmsOptions): Promise<Kms> {
  const keys: Keys = new Map(keyIds.map((id) => [id, createHash('sha256').update(`master ${id}`).digest()]))
  const calls: string[] = []
  const state = { mode, requestCount: 0 }
  const listener: RequestListener = (request, response) => {
    state.requestCount += 1
    const now = Date.now() + clockAheadMs
    response.setHeader('date', new Date(now).toUTCString())
    answer(request, { keys, calls, mode: state.mode, now }).then(
      (body) => body && send(response, 200, body),
      (error: unknown) => {
        const refusal = error instanceof Refusal ? error : new Refusal('KMSInternalException', 500)
        send(response, refusal.status, { __type: refusal.code, message: 'refused' })
      },
    )
  }
  const server = await startHttpListener(port, listener)
  return {
    url: server.url,
    env: {
      KEY_SERVICE: 'kms',
      KMS_ENDPOINT: server.url,
      KMS_KEY_ID: keyIds[0] ?? '',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKey.id,
      AWS_SECRET_ACCESS_KEY: accessKey.secret,
    },
    roleEnv: { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${server.url}${rolePath}` },
    get mode() {
      return state.mode
    },
    set mode(next) {
      state.mode = next
    },
    get requestCount() {
      return state.requestCount
    },
    calls,
    stop: () => server.stop(),
  }
}

const context = z.record(z.string(), z.string()).default({})
const encryptInput = z.object({ KeyId: z.string(), Plaintext: z.base64(), EncryptionContext: context })
const decryptInput = z.object({
  KeyId: z.string().optional(),
  CiphertextBlob: z.base64(),
  EncryptionContext: context,
})

async function answer(
  request: IncomingMessage,
  { keys, calls, mode, now }: { keys: Keys; calls: string[]; mode: KmsMode; now: number },
): Promise<object | undefined> {
  const body = await readBody(request)
  if (mode === 'hangs') return undefined
  if (mode === 'fails') throw new Refusal('KMSInternalException', 500)
  if (request.method === 'GET' && request.url === rolePath) return roleCredentials(now)
  verifySignature(request, body, now)
  if (mode === 'refuses') throw new Refusal('AccessDeniedException')
  const input: unknown = JSON.parse(body)
  const target = request.headers['x-amz-target']
  if (target === 'TrentService.Encrypt') {
    const { KeyId, Plaintext, EncryptionContext } = encryptInput.parse(input)
    calls.push(`Encrypt ${KeyId}`)
    const wrapped = encrypt(keys, KeyId, {
      plain: Buffer.from(Plaintext, 'base64'),
      context: EncryptionContext,
    })
    return { KeyId: arnOf(KeyId), CiphertextBlob: wrapped.toString('base64'), EncryptionAlgorithm: algorithm }
  }
  if (target !== 'TrentService.Decrypt') throw new Refusal('UnknownOperationException')
  const { KeyId, CiphertextBlob, EncryptionContext } = decryptInput.parse(input)
  calls.push(`Decrypt ${KeyId ?? ''}`)
  const opened = decrypt(keys, Buffer.from(CiphertextBlob, 'base64'), EncryptionContext)
  if (KeyId !== undefined && KeyId !== opened.keyId) throw new Refusal('IncorrectKeyException')
  const Plaintext = opened.plain.toString('base64')
  return { KeyId: arnOf(opened.keyId), Plaintext, EncryptionAlgorithm: algorithm }
}

const roleCredentials = (now: number): object => ({
  AccessKeyId: roleKey.id,
  SecretAccessKey: roleKey.secret,
  Token: roleKey.token,
  Expiration: new Date(now + roleLifetimeMs).toISOString(),
})

const algorithm = 'SYMMETRIC_DEFAULT'
const arnOf = (keyId: string): string => `arn:aws:kms:${region}:000000000000:key/${keyId}`

const contextBytes = (values: Record<string, string>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))))

/** The ciphertext names its key, as that of AWS does. */
function encrypt(
  keys: Keys,
  keyId: string,
  secret: { plain: Buffer; context: Record<string, string> },
): Buffer {
  const key = keys.get(keyId)
  if (!key) throw new Refusal('NotFoundException')
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(contextBytes(secret.context))
  const sealed = Buffer.concat([cipher.update(secret.plain), cipher.final()])
  const name = Buffer.from(keyId)
  return Buffer.concat([Buffer.from([name.length]), name, iv, cipher.getAuthTag(), sealed])
}

function decrypt(keys: Keys, blob: Buffer, values: Record<string, string>): { keyId: string; plain: Buffer } {
  const nameEnd = 1 + (blob[0] ?? 0)
  const keyId = blob.subarray(1, nameEnd).toString()
  const key = keys.get(keyId)
  if (!key || blob.length < nameEnd + ivBytes + tagBytes) throw new Refusal('InvalidCiphertextException')
  const [ivEnd, tagEnd] = [nameEnd + ivBytes, nameEnd + ivBytes + tagBytes]
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(nameEnd, ivEnd), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(contextBytes(values)).setAuthTag(blob.subarray(ivEnd, tagEnd))
  try {
    return { keyId, plain: Buffer.concat([decipher.update(blob.subarray(tagEnd)), decipher.final()]) }
  } catch {
    throw new Refusal('InvalidCiphertextException')
  }
}

const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** Written from AWS's description, so that it finds a client that signs something else than it sends. */
function verifySignature({ method, url, headers }: IncomingMessage, body: string, now: number): void {
  const time = String(headers['x-amz-date'] ?? '')
  const [, keyId, day = '', ofRegion = '', service = '', names = '', signature = ''] =
    authorizationPattern.exec(headers.authorization ?? '') ?? []
  const signer = [accessKey, roleKey].find(({ id }) => id === keyId)
  if (!signer || headers['x-amz-security-token'] !== signer.token)
    throw new Refusal('UnrecognizedClientException')
  const required = ['host', 'x-amz-date', 'x-amz-target', ...(signer.token ? ['x-amz-security-token'] : [])]
  const isSigned = required.every((name) => names.split(';').includes(name))
  if (!isSigned || ofRegion !== region || service !== 'kms' || !time.startsWith(day))
    throw new Refusal('IncompleteSignatureException')
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(now - at) < clockSkewMs)) throw new Refusal('RequestExpired')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const canonical = `${method}\n${url}\n\n${lines.join('')}\n${names}\n${digest(body)}`
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${ofRegion}/${service}/aws4_request\n${digest(canonical)}`
  let key: Buffer = Buffer.from(`AWS4${signer.secret}`)
  for (const part of [day, ofRegion, service, 'aws4_request']) key = mac(key, part)
  if (!timingSafeEqual(mac(key, toSign), Buffer.from(signature, 'hex')))
    throw new Refusal('InvalidSignatureException')
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > bodyLimitBytes) throw new Refusal('ValidationException')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
  response.end(JSON.stringify(body))
}
