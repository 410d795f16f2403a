import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, validationError } from '../../lib/errors.ts'

/** The only place that renders errors, in the standard body or in the body of the initiation endpoints. */
export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const appError = asAppError(error)
  request.errorCode = appError.code
  const fields = {
    method: request.method,
    route: request.routeOptions.url,
    code: appError.code,
  }
  if (appError.status >= 500) request.log.error({ ...fields, err: error }, 'request failed')
  if (appError.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(appError.retryAfterSeconds))
  await reply.status(appError.status).send(errorBody(appError, request))
}

export function errorBody(error: AppError, request: FastifyRequest): Record<string, unknown> {
  const common = {
    message: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
    ...error.fields,
    request_id: request.id,
  }
  return (request.routeOptions.url ?? request.url).startsWith('/v1/payments-init/')
    ? { error: titleOf(error.status), ...common }
    : { status: 'error', ...common }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}
const titleOf = (status: number): string => titles[status] ?? 'Internal Server Error'

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return (
    asHttpError(error) ??
    new AppError(
      'INTERNAL_ERROR',
      500,
      'Something went wrong on our side. Quote the request id to support.',
      { cause: error },
    )
  )
}

/** Fastify's own errors (body too large, wrong media type, malformed URL) keep their status but get our message. */
function asHttpError(error: unknown): AppError | undefined {
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError> // any value can be thrown; both fields are checked below
  if (!isFastifyError(code) || statusCode === undefined || statusCode < 400 || statusCode >= 500)
    return undefined
  if (statusCode === 413)
    return new AppError(
      'PAYLOAD_TOO_LARGE',
      413,
      'The body is larger than this service accepts. The guide lists the limits.',
    )
  if (statusCode === 415)
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 415, 'Send the body as application/json.')
  return validationError(
    unreadable[code] ?? 'The request could not be read. Check its path, headers and body.',
  )
}

const unreadable: Readonly<Record<string, string | undefined>> = {
  FST_ERR_BAD_URL:
    'The path cannot be decoded. Percent-encode it as UTF-8; a percent sign itself is written %25.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the path is longer than any id.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length header differs from the size of the body.',
}

/** The status of any other error, such as one from an HTTP client, is not meant for our caller. */
const isFastifyError = (code: unknown): code is string =>
  typeof code === 'string' && (code.startsWith('FST_') || code === 'ECONNRESET')
