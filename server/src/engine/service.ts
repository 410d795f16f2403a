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
  sleep(ms: number): Promise<void>
}

export interface WorkflowHandler<Input> {
  input: z.ZodType<Input>
  run(context: WorkflowContext, input: Input): Promise<void>
}

/** Bounds for what steps do not bound themselves: a worker that keeps dying pauses the job for a person. */
const invocationRetries = {
  initialInterval: { milliseconds: 200 },
  exponentiationFactor: 2,
  maxInterval: { seconds: 30 },
  maxAttempts: 100,
  onMaxAttempts: 'pause',
} as const

/** A durable service: each handler parses its input and reads from top to bottom. */
export function defineService<Inputs extends Record<string, unknown>>(
  namespace: string,
  name: string,
  handlers: { [Name in keyof Inputs]: WorkflowHandler<Inputs[Name]> },
): EngineService {
  const entries = Object.entries<WorkflowHandler<unknown>>(handlers).map(([handlerName, handler]) => [
    handlerName,
    restate.handlers.handler(
      { retryPolicy: invocationRetries },
      async (ctx: restate.Context, raw: unknown) => {
        try {
          await handler.run(contextFor(ctx), handler.input.parse(raw))
        } catch (error) {
          throw asFinal(error)
        }
      },
    ),
  ])
  return restate.service({ name: `${namespace}${name}`, handlers: Object.fromEntries(entries) })
}

function contextFor(ctx: restate.Context): WorkflowContext {
  return {
    step: (name, policy, run) =>
      ctx.run(name, () => run().catch((error: unknown) => Promise.reject(asFinal(error))), {
        maxRetryAttempts: policy.attempts,
        initialRetryInterval: { milliseconds: policy.firstDelayMs },
        maxRetryInterval: { milliseconds: policy.longestDelayMs },
        retryIntervalFactor: 2,
      }),
    sleep: (ms) => ctx.sleep({ milliseconds: ms }),
  }
}

/**
 * An AppError is final in a workflow; everything else is retried within its bound. The engine stores what is
 * thrown, so only the kind of a foreign error leaves the process, never its message.
 */
function asFinal(error: unknown): unknown {
  // The SDK suspends, pauses and cancels by throwing errors of its own, which must pass unchanged.
  if (error instanceof restate.RestateError || restate.internal.isSuspendedError(error)) return error
  if (error instanceof z.ZodError)
    return new restate.TerminalError('the input does not fit its schema', { errorCode: 400 })
  if (error instanceof AppError)
    return error.status < 500
      ? new restate.TerminalError(error.message, { errorCode: error.status })
      : new Error(error.code, { cause: error })
  if (!(error instanceof Error)) return new Error(typeof error)
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  return new Error(`${error.name}${code}`)
}

export const isFinal = (error: unknown): boolean => error instanceof restate.TerminalError
