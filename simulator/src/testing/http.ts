import { request } from 'undici'

export interface HttpCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: object | string
  readonly timeoutMs?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: () => unknown
}

const DEFAULT_TIMEOUT_MS = 10_000

/** Rejects on a timeout, a reset or a truncated answer. */
export async function http(url: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const response = await request(url, {
    method: call.method ?? 'GET',
    headers: {
      ...(typeof call.body === 'object' && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    body: typeof call.body === 'object' ? JSON.stringify(call.body) : call.body,
    signal: AbortSignal.timeout(call.timeoutMs ?? DEFAULT_TIMEOUT_MS),
  })
  const text = await response.body.text()
  return { status: response.statusCode, headers: response.headers, text, json: () => JSON.parse(text) }
}
