import { Agent } from 'undici'

export type CallOnce = {
  /** Sends the request once over a connection of its own; throws when the connection breaks. */
  post(path: string, request: OneRequest): Promise<{ status: number; text: string }>
  stop(): Promise<void>
}

type OneRequest = { origin: string; key: string; body: string; idempotencyKey?: string }

const connections = 1_024
const timeoutMs = 30_000

/** A client without retries, so that nothing hides a request that failed. */
export function createCallOnce(): CallOnce {
  const agent = new Agent({ connections, pipelining: 0, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  return {
    async post(path, { origin, key, body, idempotencyKey }) {
      const response = await agent.request({
        origin,
        path,
        method: 'POST',
        reset: true,
        headers: {
          authorization: 'NONE',
          'x-api-key': key,
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body,
      })
      return { status: response.statusCode, text: await response.body.text() }
    },
    stop: () => agent.destroy(),
  }
}
