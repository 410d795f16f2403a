import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import { limits } from './limits.ts'

export type Answer = { status: number; text: string; body: unknown }

export type Call = {
  key: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: string
  idempotencyKey?: string
  /** The index of the api that is called first. */
  api?: number
}

/** A well-behaved client: it retries with the same key when a connection breaks or the service is unavailable. */
export type ApiClient = {
  call(call: Call): Promise<Answer | undefined>
  /** 5xx answers that no caller should ever see. */
  readonly unexpectedAnswers: string[]
  stop(): Promise<void>
}

const isRetryable = (status: number): boolean => status === 503 || status === 429 || status === 504

export function createClient(urls: readonly string[], seen: (call: Call, answer: Answer) => void): ApiClient {
  const agent = new Agent({
    connections: limits.lanes * 2,
    pipelining: 1,
    headersTimeout: limits.requestTimeoutMs,
    bodyTimeout: limits.requestTimeoutMs,
    connect: { timeout: 1_000 },
  })
  const unexpectedAnswers: string[] = []
  const once = async (call: Call, attempt: number): Promise<Answer | undefined> => {
    const origin = urls[((call.api ?? 0) + attempt) % urls.length] ?? ''
    try {
      const response = await agent.request({
        origin,
        path: call.path,
        method: call.method,
        headers: {
          authorization: 'NONE',
          'x-api-key': call.key,
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
          ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
        },
        body: call.body ?? null,
      })
      const text = await response.body.text()
      return { status: response.statusCode, text, body: JSON.parse(text) }
    } catch {
      return undefined
    }
  }
  return {
    unexpectedAnswers,
    async call(call) {
      for (let attempt = 0; attempt < limits.requestTries; attempt += 1) {
        const answer = await once(call, attempt)
        if (answer) seen(call, answer)
        if (answer && answer.status >= 500 && answer.status !== 502 && !isRetryable(answer.status))
          unexpectedAnswers.push(`${call.method} ${call.path}: ${answer.status} ${answer.text.slice(0, 300)}`)
        if (answer && !isRetryable(answer.status)) return answer
        await delay(limits.retryPauseMs * (1 + attempt))
      }
      return undefined
    },
    stop: () => agent.destroy(),
  }
}
