import { randomBytes } from 'node:crypto'
import type { EventRecord } from '@switchyard/sdk'
import { signWebhook } from '@switchyard/sdk/verify-webhook'
import { UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'

/** The receiver's response; the status is undefined if there was none. */
export interface ForwardResult {
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly durationMs: number
  readonly attempt: number
}

interface Target {
  readonly url: string
  readonly secret: string
}

const timeoutMs = 10_000
const secretBytes = 32
const firstDelayMs = 500
const longestDelayMs = 2_000
/** A receiver that responds with an error is retried this often before the next event is sent. */
const refusedAttempts = 5

export const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`

/** Accepts an address without a scheme, such as `localhost:3000/hooks`. */
export function targetUrl(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(whole)) throw new UsageError(`${text} is not an address such as localhost:3000/hooks.`)
  return whole
}

export const isAccepted = ({ status }: ForwardResult): boolean =>
  status !== undefined && status >= 200 && status < 300

/** Sends an event once, signed as the server would sign it now. */
export async function forwardOnce(
  io: Io,
  event: EventRecord,
  target: Target,
  attempt: number,
): Promise<ForwardResult> {
  const startedAt = performance.now()
  const finish = (status: number | undefined, reason?: string): ForwardResult => ({
    status,
    reason,
    durationMs: performance.now() - startedAt,
    attempt,
  })
  const headers = signWebhook(event.event_id, event.body, target.secret, io.now())
  try {
    const response = await io.fetch(target.url, {
      method: 'POST',
      headers: { ...headers, 'x-service-attempt': String(attempt) },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return finish(response.status)
  } catch (error) {
    return finish(undefined, reasonOf(error))
  }
}

/** Sends an event until it is accepted. It waits while the receiver is down, so a restart of the receiver loses nothing. */
export async function forward(
  io: Io,
  event: EventRecord,
  target: Target,
  report: (result: ForwardResult) => void,
): Promise<ForwardResult> {
  let refusals = 0
  for (let attempt = 1; ; attempt++) {
    const result = await forwardOnce(io, event, target, attempt)
    if (io.signal.aborted) return result
    report(result)
    if (result.status !== undefined) refusals++
    if (isAccepted(result) || refusals >= refusedAttempts) return result
    await io.sleep(Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs))
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no response'
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  const { cause } = error
  if (cause instanceof Error)
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return error.message
}
