import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { checkRequest } from '../../lib/requests/check-request.ts'
import { validationError, type AppError, type ErrorDetail } from '../../lib/errors.ts'
import { unknownId } from './path-ids.ts'

/** Validates a part of a request by its Zod schema. The error has a sentence for every problem. */
export const compileValidator: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // Fastify passes a missing body as null, which the schema of an optional body would refuse.
    const checked = checkRequest(schema, data ?? undefined)
    if (checked.success) return { value: checked.data }
    return { error: httpPart === 'params' ? unknownId() : invalidRequest(checked.details) }
  }

export function invalidRequest(details: ErrorDetail[]): AppError {
  const [first] = details
  const more = details.length - 1
  const rest = more === 0 ? '' : ` ${more} more ${more === 1 ? 'problem is' : 'problems are'} in details.`
  return validationError(`${first?.message ?? 'The request is not valid.'}${rest}`, details)
}
