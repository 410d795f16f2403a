import type { KMSClient, KMSClientConfig } from '@aws-sdk/client-kms'
import { unavailable } from '../../lib/errors.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'

interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

export interface KmsOptions {
  keyId: string
  region: string
  /** By default that of AWS in the region. */
  endpoint: string | undefined
  /** Without them the SDK looks for a role: of the pod, the container or the machine. */
  credentials: AwsCredentials | undefined
  /** How long an unwrapped key may stay in memory, and so how long an outage of the KMS can go unnoticed. */
  cacheMs: number
}

/** The limit of a call, with the time that it takes to get credentials. Both attempts fit into it. */
const callLimitMs = 2_000
const attemptLimitMs = 900
const maxAttempts = 2
const connections = 16
/** The errors of a KMS about a value that no retry will open. */
const unopenable = new Set(['InvalidCiphertextException', 'IncorrectKeyException'])

const kmsPrefix = 'kms:'
export const isKmsId = (wrappedBy: string): boolean => wrappedBy.startsWith(kmsPrefix)

/** Wraps with a key that never leaves AWS KMS, or a KMS that speaks its protocol. */
export async function createKmsService(options: KmsOptions): Promise<KeyService & { close(): void }> {
  // A process without a KMS does not load the SDK, which takes a third of a second and 27 MB.
  const sdk = await import('@aws-sdk/client-kms')
  const caller = createCaller(() => new sdk.KMSClient(clientConfig(options)))
  const currentId = `${kmsPrefix}${options.keyId}`
  return {
    currentId,
    lifetimeMs: options.cacheMs,
    async wrap(key, context) {
      const command = new sdk.EncryptCommand({
        KeyId: options.keyId,
        Plaintext: key,
        EncryptionContext: { switchyard: context },
      })
      try {
        const { CiphertextBlob } = await caller.call((client, limit) => client.send(command, limit))
        return { wrapped: bytesOf(CiphertextBlob), wrappedBy: currentId }
      } catch (error) {
        return asUnavailable(error)
      }
    },
    async unwrap({ wrapped, wrappedBy }, context) {
      const command = new sdk.DecryptCommand({
        KeyId: wrappedBy.slice(kmsPrefix.length),
        CiphertextBlob: wrapped,
        EncryptionContext: { switchyard: context },
      })
      try {
        const { Plaintext } = await caller.call((client, limit) => client.send(command, limit))
        return bytesOf(Plaintext)
      } catch (error) {
        if (error instanceof Error && unopenable.has(error.name)) return undefined
        return asUnavailable(error)
      }
    },
    close: () => caller.close(),
  }
}

const clientConfig = ({ region, endpoint, credentials }: KmsOptions): KMSClientConfig => ({
  region,
  endpoint,
  credentials,
  maxAttempts,
  requestHandler: {
    connectionTimeout: attemptLimitMs,
    requestTimeout: attemptLimitMs,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: connections },
    httpsAgent: { keepAlive: true, maxSockets: connections },
  },
})

type Send<T> = (client: KMSClient, limit: { abortSignal: AbortSignal }) => Promise<T>

interface Caller {
  call<T>(send: Send<T>): Promise<T>
  close(): void
}

/**
 * Holds every call to its limit, because the SDK heeds its abort signal only once it has credentials. A client that
 * waits for credentials waits for the same answer in every call, so after one call without an end it is replaced.
 */
function createCaller(create: () => KMSClient): Caller {
  let current = create()
  const replace = (client: KMSClient): void => {
    if (client !== current) return
    current = create()
    // The other calls of this client have ended by then.
    setTimeout(() => client.destroy(), callLimitMs).unref()
  }
  return {
    async call(send) {
      const client = current
      const abort = new AbortController()
      const isOver = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        isOver.reject(new Error('the KMS did not answer in time'))
        abort.abort()
        replace(client)
      }, callLimitMs)
      try {
        return await Promise.race([send(client, { abortSignal: abort.signal }), isOver.promise])
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => current.destroy(),
  }
}

function bytesOf(value: Uint8Array | undefined): Buffer {
  if (value === undefined) throw new Error('the answer of the KMS is incomplete')
  return Buffer.from(value)
}

function asUnavailable(error: unknown): never {
  throw unavailable('The key service does not answer. Try again in a moment.', error)
}
