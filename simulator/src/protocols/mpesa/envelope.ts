import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'

export function refused(status: number, errorCode: string, errorMessage: string): Answer {
  return json(status, { requestId: randomUUID(), errorCode, errorMessage })
}

export const badRequest = (what: string): Answer => refused(400, '400.002.02', `Bad Request - ${what}`)

/** One code for a transaction in progress, a locked subscriber and more; only the message differs. */
export const overloaded = (message: string): Answer => refused(500, '500.001.1001', message)

export const busy = (): Answer =>
  refused(500, '500.003.02', 'System is busy. Please try again in few minutes.')

export function parseRequest<Output>(
  schema: z.ZodType<Output>,
  payload: unknown,
): { readonly input: Output } | { readonly refusal: Answer } {
  const parsed = schema.safeParse(payload ?? {})
  if (parsed.success) return { input: parsed.data }
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  return { refusal: badRequest(`Invalid ${field === '' ? 'body' : field}`) }
}
