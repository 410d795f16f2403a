/** What can be set for one call. */
export interface CallOptions {
  /** Aborts the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The limit for each attempt. */
  timeoutMs?: number | undefined
  /** For a POST. The SDK makes one if none is given; pass your own, such as an order id, to be safe across restarts. */
  idempotencyKey?: string | undefined
  /** How often the call is repeated after a lost connection, 429 or 503. */
  maxRetries?: number | undefined
}

/** One attempt of a call, without credentials and bodies. */
export interface LogEntry {
  operation: string
  method: string
  path: string
  /** From 1. */
  attempt: number
  /** Undefined if there was no answer. */
  status: number | undefined
  requestId: string | undefined
  durationMs: number
}

/** Time and chance, which tests replace. */
export interface Runtime {
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

interface CommonOptions {
  /** The address of the installation, such as `https://pay.example.com`. */
  baseUrl: string
  /** The limit for each attempt. The default is 60 seconds. */
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

/** An API key, or the access token of a person; a function is asked for the token before each attempt. */
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
