/** The options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The timeout of each attempt. */
  timeoutMs?: number | undefined
  /** For a POST. The SDK generates one if none is given; pass your own, such as an order id, to be safe across restarts. */
  idempotencyKey?: string | undefined
  /** How often the call is retried after a lost connection, 429 or 503. */
  maxRetries?: number | undefined
}

/** One attempt of a call, without credentials and bodies. */
export interface LogEntry {
  operation: string
  method: string
  path: string
  /** From 1. */
  attempt: number
  /** Undefined if there was no response. */
  status: number | undefined
  requestId: string | undefined
  durationMs: number
}

/** The clock and the source of randomness, which tests replace. */
export interface Runtime {
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

interface CommonOptions {
  /** The address of the installation, such as `https://pay.example.com`. */
  baseUrl: string
  /** The timeout of each attempt. The default is 60 seconds. */
  timeoutMs?: number
  /** The default is 2. */
  maxRetries?: number
  fetch?: typeof fetch
  log?: (entry: LogEntry) => void
  runtime?: Partial<Runtime>
}

type Credentials =
  | { apiKey: string; accessToken?: undefined }
  | { apiKey?: undefined; accessToken: string | (() => string | Promise<string>) }

/** An API key, or a person's access token; a function is called for the token before each attempt. */
export type ClientOptions = CommonOptions & Credentials

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error) // whatever the caller aborted with
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
