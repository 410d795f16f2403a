import type { z } from 'zod'
import type { ConnectorContext } from '../kit/connector.ts'
import type { HttpResult } from '../kit/http-client.ts'
import { signMessage } from '../kit/http-signature.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import {
  configurationSchema,
  initiationSchema,
  isAbout,
  lookUpSchema,
  publicKeysSchema,
  refusalSchema,
  type Configuration,
  type Initiation,
  type LookUp,
} from './answers.ts'
import type { PawapayCredentials } from './credentials.ts'
import type { Kind } from './mapping.ts'

const paths = { deposit: '/v2/deposits', payout: '/v2/payouts', refund: '/v2/refunds' } as const
const refusalStatuses = new Set([400, 401, 403])
const signatureLifetimeSeconds = 60

type Reply<Value> =
  | { kind: 'read'; value: Value }
  | { kind: 'refused'; failureCode: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface PawapayClient {
  readonly initiate: (kind: Kind, id: string, body: object) => Promise<Reply<Initiation>>
  readonly lookUp: (kind: Kind, id: string) => Promise<Reply<LookUp>>
  readonly failEnqueuedPayout: (id: string) => Promise<Reply<Initiation>>
  readonly activeConfiguration: (country: string) => Promise<Reply<Configuration>>
  readonly publicKeys: () => Promise<z.infer<typeof publicKeysSchema> | undefined>
}

export function createClient(context: ConnectorContext<PawapayCredentials>): PawapayClient {
  const get = (path: string) => call(context, { method: 'GET', path })
  const post = (path: string, body: object) => call(context, { method: 'POST', path, body })
  return {
    initiate: async (kind, id, body) =>
      read(await post(paths[kind], body), initiationSchema, (answer) => isAbout(kind, id, answer)),
    lookUp: async (kind, id) =>
      read(
        await get(`${paths[kind]}/${id}`),
        lookUpSchema,
        (found) => found.status === 'NOT_FOUND' || isAbout(kind, id, found.data),
      ),
    failEnqueuedPayout: async (id) =>
      read(await post(`/v2/payouts/fail-enqueued/${id}`, {}), initiationSchema, (answer) =>
        isAbout('payout', id, answer),
      ),
    activeConfiguration: async (country) =>
      read(await get(`/v2/active-conf?country=${country}`), configurationSchema),
    publicKeys: async () => {
      const reply = read(await get('/v2/public-key/http'), publicKeysSchema)
      return reply.kind === 'read' ? reply.value : undefined
    },
  }
}

function call(
  { credentials, http, clock }: ConnectorContext<PawapayCredentials>,
  { method, path, body }: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<HttpResult> {
  const url = `${credentials.baseUrl}${path}`
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${credentials.apiToken}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const { signing, timeoutMs } = credentials
  const message = { method, url, headers, rawBody: Buffer.from(text ?? '') }
  const signer = signing && {
    ...signing,
    label: 'sig-pp',
    at: clock.now(),
    lifetimeSeconds: signatureLifetimeSeconds,
  }
  return http({
    method,
    url,
    headers: { ...headers, ...(signer && body && signMessage(message, signer)) },
    ...(body && { body: text }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

function read<Value>(
  result: HttpResult,
  schema: z.ZodType<Value>,
  isOurs: (value: Value) => boolean = () => true,
): Reply<Value> {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  if (status === 200) {
    const value = parseAnswer(body, schema)
    return value !== undefined && isOurs(value)
      ? { kind: 'read', value }
      : { kind: 'unknown', reason: 'unreadable answer' }
  }
  const refusal = refusalStatuses.has(status) ? parseAnswer(body, refusalSchema) : undefined
  if (!refusal) return { kind: 'unknown', reason: `status ${status}` }
  return { kind: 'refused', failureCode: refusal.failureReason.failureCode }
}
