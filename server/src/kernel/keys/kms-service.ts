import { Agent, request } from 'undici'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { unavailable } from '../../lib/errors.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
import { signRequest, type AwsCredentials } from './sign-request.ts'

export interface KmsOptions {
  keyId: string
  endpoint: string
  region: string
  credentials: AwsCredentials
  /** How long an unwrapped key may stay in memory, and so how long an outage of the KMS can go unnoticed. */
  cacheMs: number
  clock: Clock
}

const answerLimitMs = 2_000
const answerLimitBytes = 65_536
const connections = 16
/** What a KMS says about a value that no repetition will open. */
const unopenable = new Set(['InvalidCiphertextException', 'IncorrectKeyException'])

const kmsPrefix = 'kms:'
export const isKmsId = (wrappedBy: string | null): boolean => wrappedBy?.startsWith(kmsPrefix) ?? false

const encrypted = z.object({ CiphertextBlob: z.base64() })
const decrypted = z.object({ Plaintext: z.base64() })
const refusal = z.object({ __type: z.string() })

/** The KMS answered, and did not do it. */
class KmsRefusal extends Error {
  override readonly name = 'KmsRefusal'
  readonly code: string
  constructor(code: string) {
    super(`the KMS refused: ${code}`)
    this.code = code
  }
}

/** Wraps with a key that never leaves a KMS, through the protocol of AWS (JSON 1.1, Signature Version 4). */
export function createKmsService(options: KmsOptions): KeyService & { close(): Promise<void> } {
  const agent = new Agent({ connections, connect: { timeout: answerLimitMs } })
  const currentId = `${kmsPrefix}${options.keyId}`
  return {
    currentId,
    lifetimeMs: options.cacheMs,
    async wrap(key, context) {
      const input = {
        KeyId: options.keyId,
        Plaintext: key.toString('base64'),
        EncryptionContext: { switchyard: context },
      }
      const answer = encrypted.parse(await call(options, agent, 'Encrypt', input).catch(asUnavailable))
      return { wrapped: Buffer.from(answer.CiphertextBlob, 'base64'), wrappedBy: currentId }
    },
    async unwrap({ wrapped, wrappedBy }, context) {
      const input = {
        KeyId: wrappedBy?.slice(kmsPrefix.length),
        CiphertextBlob: wrapped.toString('base64'),
        EncryptionContext: { switchyard: context },
      }
      try {
        const answer = decrypted.parse(await call(options, agent, 'Decrypt', input))
        return Buffer.from(answer.Plaintext, 'base64')
      } catch (error) {
        if (error instanceof KmsRefusal && unopenable.has(error.code)) return undefined
        return asUnavailable(error)
      }
    },
    close: () => agent.close(),
  }
}

function asUnavailable(error: unknown): never {
  throw unavailable('The key service does not answer. Try again in a moment.', error)
}

async function call(
  { endpoint, region, credentials, clock }: KmsOptions,
  dispatcher: Agent,
  action: 'Encrypt' | 'Decrypt',
  input: object,
): Promise<unknown> {
  const url = new URL(endpoint)
  const body = JSON.stringify(input)
  const unsigned = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `TrentService.${action}`,
  }
  const scope = { region, service: 'kms', now: clock.now() }
  const response = await request(url, {
    method: 'POST',
    headers: signRequest({ url, headers: unsigned, body }, credentials, scope),
    body,
    dispatcher,
    signal: AbortSignal.timeout(answerLimitMs),
  })
  const text = await readLimited(response.body)
  if (response.statusCode === 200) return JSON.parse(text)
  const refused = refusal.safeParse(parsed(text))
  // AWS may write the name of the service before the error, as in `com.amazonaws.kms#NotFoundException`.
  throw new KmsRefusal(refused.data?.__type.split('#').at(-1) ?? String(response.statusCode))
}

async function readLimited(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > answerLimitBytes) throw new Error('the answer of the KMS is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
