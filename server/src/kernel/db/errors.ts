import { sql, type RawBuilder } from 'kysely'
import { AppError, unavailable } from '../../lib/errors.ts'

/**
 * Why a fenced write found no row. Statements are pipelined, so the caller cannot read one result before it sends
 * the next: the fence fails the whole transaction, with an SQLSTATE of its own for each reason.
 */
const fenceCodes = {
  /** Another process changed the row since it was read; reading it again and retrying helps. */
  staleVersion: 'SY001',
  /** Another payment claimed the payment link first, or the link changed. */
  linkTaken: 'SY003',
  beneficiaryGone: 'SY004',
  /** The escrow share has been paid or has failed. */
  shareNotPending: 'SY005',
  /** The virtual transaction was booked or ended by another process. */
  transactionNotPending: 'SY006',
  /** Another call has used the Idempotency-Key. */
  keyTaken: 'SY016',
  /** The inbox has enough messages about the payment that no signature vouches for. */
  inboxFull: 'SY018',
  /** The row of a payout batch was sent or canceled, or its batch is not being sent. */
  rowNotPending: 'SY027',
} as const

type Fence = keyof typeof fenceCodes

/** Selected from the rows that a fenced write returns: fails the transaction when there are none. */
export const assertWritten = (fence: Fence): RawBuilder<unknown> =>
  sql`assert_written(count(*), ${sql.lit(fenceCodes[fence])})`

const failedOn =
  (fence: Fence) =>
  (error: unknown): boolean =>
    error instanceof Error && codeOf(error) === fenceCodes[fence]

export const isStaleVersion = failedOn('staleVersion')
export const isLinkTaken = failedOn('linkTaken')
export const isBeneficiaryGone = failedOn('beneficiaryGone')
export const isShareNotPending = failedOn('shareNotPending')
export const isKeyTaken = failedOn('keyTaken')
export const isInboxFull = failedOn('inboxFull')
export const isRowNotPending = failedOn('rowNotPending')

/** The account to be debited is frozen or closed. */
export const isInactive = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'SY002'

/** What the organisation sends out in 24 hours would reach a limit of its approval policies. */
export const isOutflowLimit = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'SY011'

/** The refund is more than what refunds and disputes have left of the payment. */
export const isRefundBeyond = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'SY025'

const suspensionCodes = {
  SY056: 'organization',
  SY057: 'payouts',
  SY058: 'provider_account',
  /** The account was retired, or its route switched off, since the payment was routed. */
  SY071: 'route',
  /** A possible match with a sanctions list, which people have to decide about. */
  SY067: 'screening',
  /** Nobody was compared with the lists in force, which happens before the next try. */
  SY076: 'screening',
} as const
type SuspensionCode = keyof typeof suspensionCodes

/** What is suspended, if a suspension refused the transaction: nothing of it was written, and nothing is to be sent. */
export const suspendedIn = (error: unknown): (typeof suspensionCodes)[SuspensionCode] | undefined => {
  const code = error instanceof Error ? codeOf(error) : ''
  return code in suspensionCodes ? suspensionCodes[code as SuspensionCode] : undefined // one of its keys
}

/** What a payout needed when it was requested, and has lost since. */
const lostCodes = { SY072: 'rate', SY073: 'verification' } as const
type LostCode = keyof typeof lostCodes
export const lostIn = (error: unknown): (typeof lostCodes)[LostCode] | undefined => {
  const code = error instanceof Error ? codeOf(error) : ''
  return code in lostCodes ? lostCodes[code as LostCode] : undefined // one of its keys
}

/** Somebody whom the transaction would pay or collect from is on a sanctions list: it will never be sent. */
export const isSanctioned = (error: unknown): boolean => error instanceof Error && codeOf(error) === 'SY068'

/** Matches any unique constraint, or only the named one. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof Error &&
  codeOf(error) === '23505' &&
  (constraint === undefined || ('constraint' in error && error.constraint === constraint))

/** A prepared statement returns other columns than when it was prepared, because a migration has run since. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  codeOf(error) === '0A000' &&
  'routine' in error &&
  error.routine === 'RevalidateCachedQuery'

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

const neverConnectedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', '53300', '57P03'])
const neverConnectedMessage = /timeout exceeded when trying to connect/i

/** The connection broke while a transaction was on its way, so the transaction may have been committed. */
export function mayHaveCommitted(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined
  return (
    isConnectionError(cause) &&
    !neverConnectedCodes.has(codeOf(cause)) &&
    !neverConnectedMessage.test(cause.message)
  )
}

const busyErrorCodes = new Set([
  '40001', // could not serialize
  '40P01', // deadlock
  '55P03', // a lock was not free in time
  '57014', // the statement took too long
])

/** Postgres rolled the transaction back, and a retry is likely to succeed. */
export const isBusyError = (error: unknown): boolean =>
  error instanceof Error && busyErrorCodes.has(codeOf(error))

export function asUnavailable(error: unknown): never {
  throw unavailable('The database is not reachable. Try again shortly.', error)
}
