import { ApiError, type ApiErrorInit, type ErrorDetail } from './api-error.ts'
import { errorClasses, codeByStatus } from './generated/error-table.ts'

interface ErrorBody {
  message?: unknown
  code?: unknown
  details?: unknown
  payment_id?: unknown
  failure?: unknown
  request_id?: unknown
}

interface FailedResponse {
  status: number
  requestId: string | undefined
  retryAfterMs: number | undefined
  text: string
}

/** Creates the error of a response, in the class of its code. */
export function errorOf({ status, requestId, retryAfterMs, text }: FailedResponse): ApiError {
  const body = parseBody(text)
  const code = body && (textOf(body.code) ?? codeByStatus[status])
  const init: ApiErrorInit = {
    status,
    message: textOf(body?.message) ?? unreadableMessage(status),
    code,
    details: Array.isArray(body?.details) ? (body.details as ErrorDetail[]) : [], // as the API describes it
    requestId: textOf(body?.request_id) ?? requestId,
    paymentId: textOf(body?.payment_id),
    failure: body?.failure as ApiErrorInit['failure'], // as the API describes it
    retryAfterMs,
  }
  const ErrorClass = code === undefined ? undefined : errorClasses[code]
  return ErrorClass ? new ErrorClass(init) : new ApiError(init)
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'message' in body ? body : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const unreadableMessage = (status: number): string =>
  status < 400
    ? 'The server redirected the request, which is not followed. Check baseUrl.'
    : `Status ${status} without an error of Switchyard, probably from a proxy in front of it.`
