import { unavailable } from '../lib/errors.ts'

/** A fenced write found a newer version: somebody else wrote first. */
export const isStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SY001'

/** An account that was to be debited is frozen or closed. */
export const isInactive = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SY002'

/** Of any unique constraint, or of the named one. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23505' &&
  (constraint === undefined || ('constraint' in error && error.constraint === constraint))

const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '25006', // read-only: this server is no longer the primary
  '53300', // too many connections
  '57P01', // terminated by an administrator
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
])
const connectionErrorMessage =
  /connection terminated|connection timeout|connection error|client was closed|timeout exceeded when trying to connect|query read timeout/i

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

export function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return connectionErrorCodes.has(code) || code.startsWith('08') || connectionErrorMessage.test(error.message)
}

const busyErrorCodes = new Set([
  '40001', // could not serialize
  '40P01', // deadlock
  '55P03', // a lock was not free in time
  '57014', // the statement took too long
])

/** Undone as a whole by Postgres, and likely to pass when it is tried again. */
export const isBusyError = (error: unknown): boolean =>
  error instanceof Error && busyErrorCodes.has(codeOf(error))

export function asUnavailable(error: unknown): never {
  throw unavailable('The database is not reachable. Try again shortly.', error)
}
