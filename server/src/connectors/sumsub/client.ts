import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { HttpCall, HttpClient } from '../kit/http-client.ts'

/** The README lists the defaults that the provider has not confirmed. */
export interface SumsubOptions {
  baseUrl: string
  appToken: string
  secretKey: string
  /** There are several during a rotation of the secret. */
  webhookSecrets: readonly string[]
  levelName: string
  /** The field for a new applicant's company data: `fixedInfo` since KYB 2.0, `info` before. */
  companyInfoIn: 'fixedInfo' | 'info'
  linkLifetimeSeconds: number
}

type SumsubReply =
  | { kind: 'handled'; body: unknown }
  | { kind: 'refused'; status: number; description: string }
  | { kind: 'unavailable'; reason: string }

interface SumsubRequest {
  method: HttpCall['method']
  path: string
  body?: { contentType: string; bytes: Buffer }
}

export type SumsubClient = (request: SumsubRequest) => Promise<SumsubReply>

const errorSchema = z.object({ description: z.string().default('') })

export const jsonBody = (value: object): NonNullable<SumsubRequest['body']> => ({
  contentType: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
})

export function createSumsubClient(options: SumsubOptions, http: HttpClient, clock: Clock): SumsubClient {
  return async ({ method, path, body }) => {
    const timestamp = String(Math.floor(clock.now().getTime() / 1000))
    const signature = createHmac('sha256', options.secretKey).update(timestamp + method + path)
    if (body) signature.update(body.bytes)
    const result = await http({
      method,
      url: `${options.baseUrl}${path}`,
      headers: {
        accept: 'application/json',
        'content-type': body?.contentType ?? 'application/json',
        'x-app-token': options.appToken,
        'x-app-access-ts': timestamp,
        'x-app-access-sig': signature.digest('hex'),
      },
      ...(body && { bytes: body.bytes }),
    })
    if (result.kind !== 'answered') return { kind: 'unavailable', reason: result.reason }
    return readReply(result.status, result.body)
  }
}

/** Only errors in the request are refusals; rate limits and server errors are temporary. */
export function readReply(status: number, text: string): SumsubReply {
  const body = parsed(text)
  if (status >= 200 && status < 300)
    return body === undefined
      ? { kind: 'unavailable', reason: 'the answer is not JSON' }
      : { kind: 'handled', body }
  if (status === 429 || status >= 500 || body === undefined)
    return { kind: 'unavailable', reason: `HTTP ${status}` }
  return { kind: 'refused', status, description: errorSchema.safeParse(body).data?.description ?? '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
