import type { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'

export function handled(message: string, data: unknown, meta?: object): Answer {
  return json(200, { status: 'success', message, data, ...(meta && { meta }) })
}

/** Describes the customer's next step in `meta`, without `data`, as Flutterwave does. */
export function authorize(authorization: object): Answer {
  return json(200, { status: 'success', message: 'Charge initiated', meta: { authorization } })
}

export function refused(status: number, message: string): Answer {
  return json(status, { status: 'error', message, data: null })
}

/** The parsed request, or the 400 with the first invalid field. */
export function parseRequest<Output>(
  schema: z.ZodType<Output>,
  payload: unknown,
): { readonly input: Output } | { readonly refusal: Answer } {
  const parsed = schema.safeParse(payload ?? {})
  if (parsed.success) return { input: parsed.data }
  const issue = parsed.error.issues[0]
  const field = issue?.path.join('.') ?? ''
  return {
    refusal: refused(400, field === '' ? 'Invalid request payload' : `${field} is required or invalid`),
  }
}
