/** The result of the last attempt. */
export interface Attempt {
  /** Undefined if the connection was lost. */
  status: number | undefined
  code: string | undefined
  retryAfterMs: number | undefined
}

export interface Progress {
  /** How often the call was retried after a lost connection, 429 or 503. */
  retries: number
  maxRetries: number
  /** How often, and for how long, the call has waited for an earlier call with the same key. */
  waits: number
  waitedMs: number
}

const firstDelayMs = 500
const longestDelayMs = 5_000
/** If the server asks for a longer delay, the caller gets the error instead. */
const retryAfterLimitMs = 60_000
const inProgressLimitMs = 30_000
export const inProgressCode = 'IDEMPOTENCY_IN_PROGRESS'

/** The delay before the next attempt, or undefined if there is none. */
export function retryDelayMs(attempt: Attempt, progress: Progress, random: () => number): number | undefined {
  if (!isWorthRepeating(attempt, progress)) return undefined
  const grown = Math.min(firstDelayMs * 2 ** (progress.retries + progress.waits), longestDelayMs)
  const jittered = Math.max(firstDelayMs, grown * (1 + random()) * 0.5)
  const { retryAfterMs = 0 } = attempt
  return retryAfterMs > retryAfterLimitMs ? undefined : Math.max(jittered, retryAfterMs)
}

/** 500 is not retried, because its outcome is unknown. 502 is a definite refusal by every provider. */
function isWorthRepeating({ status, code }: Attempt, { retries, maxRetries, waitedMs }: Progress): boolean {
  if (code === inProgressCode) return maxRetries > 0 && waitedMs < inProgressLimitMs
  return retries < maxRetries && (status === undefined || status === 429 || status === 503)
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
