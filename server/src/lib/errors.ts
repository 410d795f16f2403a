import type { ErrorCode, StatusOf } from './error-codes.ts'
import { toSentence } from './text/sentences.ts'

export interface ErrorDetail {
  path: string
  message: string
}

/** Fields of the error body beside the message, for errors about something that exists, such as a failed payment. */
type ErrorFields = Readonly<Record<string, unknown>>

/** The only error that reaches a caller: its message is written for them, and `cause` is for our logs only. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError'
  readonly code: Code
  readonly status: StatusOf<Code>
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly fields: ErrorFields | undefined

  constructor(
    code: Code,
    status: StatusOf<Code>,
    message: string,
    more: { cause?: unknown; details?: ErrorDetail[]; retryAfterSeconds?: number; fields?: ErrorFields } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = status
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.fields = more.fields
  }
}

const fieldPattern = /^([A-Za-z_][\w.]*): (.+)$/s

/** A problem may be given as `must be …`, and a message as `amount: must be …`; callers read whole sentences. */
export function validationError(message: string, details?: ErrorDetail[]): AppError {
  const [, field, problem] = fieldPattern.exec(message) ?? []
  const sentence = field !== undefined && problem !== undefined ? toSentence(field, problem) : message
  return new AppError('VALIDATION_ERROR', 400, sentence, {
    ...(details && {
      details: details.map(({ path, message: text }) => ({ path, message: toSentence(path, text) })),
    }),
  })
}

export const unauthorized = (message: string, cause?: unknown): AppError =>
  new AppError('UNAUTHORIZED', 401, message, { cause })

export const forbidden = (message: string): AppError => new AppError('FORBIDDEN', 403, message)

/** The person may do it, but has not proved well enough who they are. */
export const weakSignIn = (claim: { name: string; values: readonly string[] }): AppError =>
  forbidden(
    `Your role requires a sign-in with ${claim.name} ${claim.values.join(' or ')}. Sign in again that way, for example with a second factor.`,
  )

export const notFound = (
  what: string,
  hint = 'Check its id; ids of other organisations are not visible.',
): AppError => new AppError('NOT_FOUND', 404, `${what} was not found. ${hint}`)

export const conflict = (message: string): AppError => new AppError('CONFLICT', 409, message)

export const uploadTooSlow = (): AppError =>
  new AppError(
    'UPLOAD_TOO_SLOW',
    408,
    'The body arrived too slowly and was given up; nothing was stored. Send the file in smaller parts, or over a faster connection.',
  )

export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, message, { cause, retryAfterSeconds: 1 })

export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.status === 503
