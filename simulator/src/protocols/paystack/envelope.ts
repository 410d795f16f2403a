import type { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'

interface Refusal {
  readonly message: string
  readonly code: string
  readonly nextStep?: string
  readonly type?: 'validation_error' | 'processor_error' | 'api_error'
}

/** The request was handled; `data.status` shows whether money moved. */
export function handled(message: string, data: unknown, meta?: object): Answer {
  return json(200, { status: true, message, data, ...(meta && { meta }) })
}

export function created(message: string, data: unknown): Answer {
  return json(201, { status: true, message, data })
}

export function refused(status: number, refusal: Refusal): Answer {
  const { message, code, type = 'validation_error' } = refusal
  const nextStep = refusal.nextStep ?? "Ensure that the value(s) you're passing are valid."
  return json(status, { status: false, message, meta: { nextStep }, type, code })
}

export function notFound(message: string, code: string): Answer {
  return refused(404, { message, code, nextStep: 'Ensure that the reference belongs to this integration.' })
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
  const message = field === '' ? 'The request could not be read' : `Invalid value of ${field}`
  return { refusal: refused(400, { message, code: field === '' ? 'invalid_params' : `invalid_${field}` }) }
}
