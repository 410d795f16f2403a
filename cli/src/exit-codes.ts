import { ApiError, ConnectionError, OutcomeUnknown } from '@switchyard/sdk'
import { CommanderError } from 'commander'

export const exitCodes = { done: 0, refused: 1, usage: 2, noConnection: 3, unknownOutcome: 4 } as const

/** The command was used incorrectly, so nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command ran, but what it checked or requested was refused. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The exit code for an error. Scripts rely on these numbers. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof OutcomeUnknown) return exitCodes.unknownOutcome
  if (error instanceof ConnectionError) return exitCodes.noConnection
  if (error instanceof ApiError || error instanceof Refusal) return exitCodes.refused
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  // The SDK throws a TypeError for arguments that cannot be sent.
  if (error instanceof UsageError || error instanceof TypeError) return exitCodes.usage
  return exitCodes.refused
}

/** The message for a person: what happened, and what to do next. */
export function describeError(error: unknown): string {
  if (error instanceof OutcomeUnknown) return describeUnknown(error)
  if (error instanceof ApiError) return describeRefusal(error)
  return error instanceof Error ? error.message : String(error)
}

function describeUnknown({ message, idempotencyKey }: OutcomeUnknown): string {
  const key = idempotencyKey === undefined ? '' : ` with --idempotency-key ${idempotencyKey}`
  return `${message}\nThe request may have succeeded. Look it up, or repeat the command${key}; it is never carried out twice.`
}

function describeRefusal({ message, code, status, requestId, details, paymentId }: ApiError): string {
  const lines = [
    `${message} (${code ?? status})`,
    ...details.map((detail) => `  ${detail.path}: ${detail.message}`),
    ...(paymentId === undefined ? [] : [`  payment ${paymentId}`]),
    ...(requestId === undefined ? [] : [`  request id ${requestId}`]),
  ]
  return lines.join('\n')
}
