import * as restate from '@restatedev/restate-sdk'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { sendJob, type Ingress } from './send-job.ts'

/** Where services are defined, and how a job that waits is sent to the engine again. */
export interface EngineScope extends Ingress {
  /**
   * False while this process does not know that its clock is right. The SDK turns a delay into a time by that clock, so a
   * job could wait hours too long; the engine counts the delay then.
   */
  isClockRight(): boolean
}

export type EngineService = ReturnType<typeof restate.service>

export interface StepPolicy {
  attempts: number
  firstDelayMs: number
  longestDelayMs: number
}

export interface WorkflowContext {
  /** Retries until it succeeds, then journals the result. Throws an AppError at once, others after the last attempt. */
  step<T>(name: string, policy: StepPolicy, run: () => Promise<T>): Promise<T>
  /**
   * A step that is retried with the handler's `retries`. After the last attempt the engine pauses the job for manual
   * review instead of ending it.
   */
  untilDone<T>(name: string, run: () => Promise<T>): Promise<T>
  /**
   * Runs `untilDone` in a loop. Each run returns the delay before the next one in ms, and the last one returns nothing.
   * It must be the last call of a handler, because a long loop continues as a new job.
   */
  repeat(name: string, run: (round: number) => Promise<number | null | undefined>): Promise<void>
  sleep(ms: number): Promise<void>
}

export interface WorkflowHandler<Input> {
  input: z.ZodType<Input>
  /** Applies when a worker dies or cannot be reached, and to `untilDone`. */
  retries?: StepPolicy
  run(context: WorkflowContext, input: Input): Promise<void>
}

/** About a day, which outlasts an outage of the workers; a job that crashes each of them is paused by then. */
const defaultRetries: StepPolicy = { attempts: 1_500, firstDelayMs: 200, longestDelayMs: 60_000 }

/**
 * The engine suspends a job that sleeps for longer, so that it costs nothing. Otherwise each of thousands of sleeping
 * jobs would hold a call open, and all of them would be called again whenever a worker or an engine dies.
 */
const suspendedAfterMs = 2_000

/**
 * A job replays its whole journal whenever it wakes up. A job that polls for days would replay thousands of entries
 * each time, so it continues as a new job with an empty journal.
 */
const roundsPerJob = 20
const roundHeader = 'switchyard-round'

const sendTimeoutMs = 10_000

/** A durable service: each handler parses its input and reads from top to bottom. */
export function defineService<Inputs extends Record<string, unknown>>(
  engine: EngineScope,
  name: string,
  handlers: { [Name in keyof Inputs]: WorkflowHandler<Inputs[Name]> },
): EngineService {
  const entries = Object.entries<WorkflowHandler<unknown>>(handlers).map(([handlerName, handler]) => [
    handlerName,
    restate.handlers.handler(
      { retryPolicy: invocationPolicy(handler.retries ?? defaultRetries) },
      async (ctx: restate.Context, raw: unknown) => {
        const continueAsNew = (round: number, delay: number): void => {
          const target = { service: `${engine.namespace}${name}`, method: handlerName, parameter: raw, delay }
          const headers = { [roundHeader]: String(round) }
          ctx.genericSend({ ...target, headers, inputSerde: restate.serde.json })
        }
        const waitInEngine = (round: number, delayMs: number): Promise<void> =>
          ctx.run('wait', async () => {
            const job = {
              target: [`${engine.namespace}${name}`, handlerName],
              payload: raw,
              headers: { [roundHeader]: String(round) },
              idempotencyKey: `${Buffer.from(ctx.request().id).toString('base64url')} ${round}`,
              delayMs,
            }
            const status = await sendJob(engine, job, AbortSignal.timeout(sendTimeoutMs))
            if (status >= 300) throw new Error(`the engine answered ${status}`)
          })
        const waits = { isClockRight: () => engine.isClockRight(), continueAsNew, waitInEngine }
        try {
          await handler.run(contextFor(ctx, waits), handler.input.parse(raw))
        } catch (error) {
          throw forJournal(error)
        }
      },
    ),
  ])
  return restate.service({
    name: `${engine.namespace}${name}`,
    handlers: Object.fromEntries(entries),
    options: { inactivityTimeout: suspendedAfterMs },
  })
}

const invocationPolicy = (policy: StepPolicy): restate.RetryPolicy => ({
  initialInterval: policy.firstDelayMs,
  exponentiationFactor: 2,
  maxInterval: policy.longestDelayMs,
  maxAttempts: policy.attempts,
  onMaxAttempts: 'pause',
})

interface Waits {
  isClockRight(this: void): boolean
  continueAsNew(this: void, round: number, delayMs: number): void
  waitInEngine(this: void, round: number, delayMs: number): Promise<void>
}

const contextFor = (
  ctx: restate.Context,
  { isClockRight, continueAsNew, waitInEngine }: Waits,
): WorkflowContext => ({
  step: (name, policy, run) =>
    ctx.run(name, () => withSafeErrors(run), {
      maxRetryAttempts: policy.attempts,
      initialRetryInterval: policy.firstDelayMs,
      maxRetryInterval: policy.longestDelayMs,
      retryIntervalFactor: 2,
    }),
  untilDone: (name, run) => ctx.run(name, () => withSafeErrors(run)),
  async repeat(name, run) {
    const first = Number(ctx.request().headers.get(roundHeader) ?? 0)
    for (let round = first; ; round++) {
      const { waitMs, isTimed } = await ctx.run(name, () =>
        withSafeErrors(async () => ({ waitMs: (await run(round)) ?? null, isTimed: isClockRight() })),
      )
      if (waitMs === null) return
      if (!isTimed) return waitInEngine(round + 1, waitMs)
      if (round + 1 === first + roundsPerJob) return continueAsNew(round + 1, waitMs)
      await ctx.sleep(waitMs)
    }
  },
  sleep: (ms) => ctx.sleep(ms),
})

async function withSafeErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw forJournal(error)
  }
}

const plainWord = /^[A-Za-z0-9_]{1,60}$/

/**
 * An AppError is final in a workflow; every other error is retried up to a limit. The engine stores the message and
 * stack of an error, so only its kind and code leave the process. The cause is logged.
 */
function forJournal(error: unknown): Error {
  // The SDK ends, suspends and cancels an attempt with errors of its own, which must not be wrapped.
  if (error instanceof restate.RestateError) return error
  if (error instanceof z.ZodError)
    return new restate.TerminalError('the input does not match its schema', { errorCode: 400 })
  if (error instanceof AppError && error.status < 500)
    return new restate.TerminalError(error.code, { errorCode: error.status })
  return new Error(kindOf(error), { cause: error })
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? String(error.code) : ''
  return [error.name, code].filter((word) => plainWord.test(word)).join(' ')
}

/** Whether no further attempt follows: the step threw an AppError, used up its attempts, or the job was cancelled. */
export const isFinal = (error: unknown): boolean => error instanceof restate.TerminalError
