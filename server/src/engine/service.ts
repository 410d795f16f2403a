import * as restate from '@restatedev/restate-sdk'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'

export type EngineService = ReturnType<typeof restate.service>

export interface StepPolicy {
  attempts: number
  firstDelayMs: number
  longestDelayMs: number
}

export interface WorkflowContext {
  /** Runs once it has succeeded: its result is journaled. Throws the AppError, or after the last attempt. */
  step<T>(name: string, policy: StepPolicy, run: () => Promise<T>): Promise<T>
  /**
   * The same for what Postgres bounds itself: retried as the handler's `retries` say, and after the last
   * attempt the job pauses for a person instead of ending undone.
   */
  untilDone<T>(name: string, run: () => Promise<T>): Promise<T>
  /**
   * `untilDone` again and again: each run says after how many ms the next one is due, the last one says nothing. It is
   * the last thing that a handler does: after many rounds the same job goes on as a new one.
   */
  repeat(name: string, run: (round: number) => Promise<number | null | undefined>): Promise<void>
  sleep(ms: number): Promise<void>
}

export interface WorkflowHandler<Input> {
  input: z.ZodType<Input>
  /** For a worker that dies or cannot be reached, and for `untilDone`. */
  retries?: StepPolicy
  run(context: WorkflowContext, input: Input): Promise<void>
}

/** About a day: an outage of the workers is over by then, and a job that kills each of them waits for a person. */
const defaultRetries: StepPolicy = { attempts: 1_500, firstDelayMs: 200, longestDelayMs: 60_000 }

/**
 * A job that sleeps for longer is put aside and costs nothing until it wakes up. Otherwise each of thousands that wait
 * would hold a call open, and all of them would be called again whenever a worker or an engine dies.
 */
const suspendedAfterMs = 2_000

/**
 * Whenever a job wakes up, all that it has done is read again. One that looks every few minutes for days would read
 * thousands of entries each time, so it begins anew with an empty journal.
 */
const roundsPerJob = 20
const roundHeader = 'switchyard-round'

/** A durable service: each handler parses its input and reads from top to bottom. */
export function defineService<Inputs extends Record<string, unknown>>(
  namespace: string,
  name: string,
  handlers: { [Name in keyof Inputs]: WorkflowHandler<Inputs[Name]> },
): EngineService {
  const entries = Object.entries<WorkflowHandler<unknown>>(handlers).map(([handlerName, handler]) => [
    handlerName,
    restate.handlers.handler(
      { retryPolicy: invocationPolicy(handler.retries ?? defaultRetries) },
      async (ctx: restate.Context, raw: unknown) => {
        const goOnAsNew = (round: number, delay: number): void => {
          const target = { service: `${namespace}${name}`, method: handlerName, parameter: raw, delay }
          const headers = { [roundHeader]: String(round) }
          ctx.genericSend({ ...target, headers, inputSerde: restate.serde.json })
        }
        try {
          await handler.run(contextFor(ctx, goOnAsNew), handler.input.parse(raw))
        } catch (error) {
          throw forJournal(error)
        }
      },
    ),
  ])
  return restate.service({
    name: `${namespace}${name}`,
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

const contextFor = (
  ctx: restate.Context,
  goOnAsNew: (round: number, delayMs: number) => void,
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
      const waitMs = await ctx.run(name, () => withSafeErrors(async () => (await run(round)) ?? null))
      if (waitMs === null) return
      if (round + 1 === first + roundsPerJob) return goOnAsNew(round + 1, waitMs)
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
 * An AppError is final in a workflow; everything else is retried within its bound. The engine stores message
 * and stack of what is thrown, so only kind and code leave the process; the cause stays in it, for the log.
 */
function forJournal(error: unknown): Error {
  // The SDK ends, pauses and cancels an attempt by errors of its own, which must pass unchanged.
  if (error instanceof restate.RestateError) return error
  if (error instanceof z.ZodError)
    return new restate.TerminalError('the input does not fit its schema', { errorCode: 400 })
  if (error instanceof AppError && error.status < 500)
    return new restate.TerminalError(error.code, { errorCode: error.status })
  return new Error(kindOf(error), { cause: error })
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? String(error.code) : ''
  return [error.name, code].filter((word) => plainWord.test(word)).join(' ')
}

/** No further attempt follows: the step threw an AppError or used up its attempts, or the job was cancelled. */
export const isFinal = (error: unknown): boolean => error instanceof restate.TerminalError
