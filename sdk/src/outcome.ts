import { type ApiError, ConnectionError, OutcomeUnknown } from './api-error.ts'
import type { Operation } from './operation.ts'
import { inProgressCode } from './retry.ts'

const readingMethods: readonly string[] = ['GET', 'HEAD']
const internalCode = 'INTERNAL_ERROR'
/** With these codes, the connection was never made, so nothing was sent. */
const notSentCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]
/** The server sends these before it looks up the key, so they reveal nothing about an earlier attempt. */
const earlyStatuses: readonly number[] = [401, 403, 429, 500, 503]

/** Whether an attempt may have been carried out although it got no definite response. */
export function mayHaveArrived(error: ApiError | ConnectionError): boolean {
  if (error instanceof ConnectionError) return !notSentCodes.includes(codeOf(error.cause))
  if (error.code === inProgressCode) return true
  return error.status >= 500 && (error.code === undefined || error.code === internalCode)
}

/** The error for the caller: a write counts as failed only if no attempt can have been carried out. */
export function finalError(
  { operation, idempotencyKey }: { operation: Operation; idempotencyKey: string | undefined },
  error: ApiError | ConnectionError,
  hasEarlierArrived: boolean,
): ApiError | ConnectionError | OutcomeUnknown {
  if (readingMethods.includes(operation.method)) return error
  const isEarlierUnknown =
    hasEarlierArrived && (error instanceof ConnectionError || earlyStatuses.includes(error.status))
  if (!isEarlierUnknown && !mayHaveArrived(error)) return error
  return new OutcomeUnknown(
    `It is not known whether ${operation.id} was carried out: ${error.message}`,
    idempotencyKey,
    error,
  )
}

/** The code of the innermost cause, because fetch wraps connection errors. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : codeOf(error.cause)
}
