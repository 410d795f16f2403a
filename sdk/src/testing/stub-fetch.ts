import { Switchyard } from '../client.ts'
import type { ClientOptions, LogEntry } from '../options.ts'

export interface SentRequest {
  method: string
  url: string
  headers: Headers
  body: string
}

/** A reply of the stub: a response, or an error that simulates a lost connection. */
export type Reply = Response | Error

export const plantedKey = 'sy_test_planted0000000000000000'

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers },
  })

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json({ status: 'error', message: `It says ${code}.`, code, request_id: 'request-1' }, status, headers)

export const lost = (code = 'ECONNRESET'): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

export const payment = { payment_id: 'p-1', status: 'processing' }
export const initiated = () =>
  json(`{"statusCode":200,"response":{"payment_id":"p-1","payment_data":{"amount":1500.00}}}`)
/** A sample payin. */
export const body = {
  amount: '1500.00',
  target_amount: 1500,
  currency: 'NGN',
  target_currency: 'NGN',
  payment_method: 'card',
  direction: 'payin',
} as const
/** The error with which a promise is rejected. */
export const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it resolved',
    (error: unknown) => error,
  )

export interface Stub {
  client: Switchyard
  sent: SentRequest[]
  /** The delays that the client waited for. The clock advances only by these. */
  delays: number[]
  log: LogEntry[]
}

/** A client that gets the given replies in turn, with a fake clock and fake randomness. */
export function stubbed(replies: readonly Reply[], options: Partial<ClientOptions> = {}, random = 0.5): Stub {
  const stub = { sent: [] as SentRequest[], delays: [] as number[], log: [] as LogEntry[] }
  const waiting = [...replies]
  let nowMs = 0
  const client = new Switchyard({
    baseUrl: 'https://pay.example.com',
    apiKey: plantedKey,
    log: (entry) => stub.log.push(entry),
    fetch: (input, init) => {
      stub.sent.push({
        method: init?.method ?? 'GET',
        url: input instanceof Request ? input.url : String(input),
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? init.body : '',
      })
      const reply = waiting.shift()
      if (!reply) return Promise.reject(new Error('the test has no further reply'))
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
    },
    runtime: {
      now: () => nowMs,
      random: () => random,
      sleep: (ms) => {
        stub.delays.push(ms)
        nowMs += ms
        return Promise.resolve()
      },
    },
    ...options,
  } as ClientOptions) // the changes of a test keep one credential
  return { client, ...stub }
}
