import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { exponentOf, majorFromMinor, scaledAmount } from '../../core/money.ts'

/** Currencies for which Adyen deviates from ISO 4217. */
const OWN_EXPONENTS: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }
const exponent = (currency: string): number => OWN_EXPONENTS[currency] ?? exponentOf(currency)

export const amountSchema = z.object({ currency: z.string().length(3), value: z.int().positive() })
type Amount = z.infer<typeof amountSchema>

export const majorOf = ({ value, currency }: Amount): string => majorFromMinor(value, exponent(currency))

export const amountOf = ({ amount, currency }: { amount: string; currency: string }): Amount => ({
  currency,
  value: Number(scaledAmount(amount, exponent(currency)) ?? 0n),
})

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ23456789'
const letters = (count: number): string =>
  Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** An id of sixteen letters and digits. */
export const newPspReference = (): string => letters(16)
export const newLinkId = (): string => `PL${letters(16)}`
export const newTransferId = (): string => `3J${letters(14)}`

/** Errors of Checkout. */
export function refused(status: number, errorCode: string, message: string): Answer {
  const errorType = status === 401 || status === 403 ? 'security' : 'validation'
  return json(status, { status, errorCode, message, errorType, pspReference: newPspReference() })
}

export const SERVER_ERROR = json(500, {
  status: 500,
  errorCode: '905',
  message: 'Internal error',
  errorType: 'internal',
})
export const RATE_LIMITED = json(429, {
  status: 429,
  errorCode: '00_429',
  message: 'Too Many Requests',
  errorType: 'validation',
})

/** Errors of the balance platform are RFC 7807. */
export function problem(status: number, errorCode: string, detail: string): Answer {
  const type = 'https://docs.adyen.com/errors/'
  return json(status, { type, errorCode, title: detail, detail, requestId: newPspReference(), status })
}

export function parseRequest<Output>(
  schema: z.ZodType<Output>,
  call: Pick<Call, 'payload'>,
  refuse: (field: string) => Answer,
): { readonly input: Output } | { readonly refusal: Answer } {
  const parsed = schema.safeParse(call.payload ?? {})
  if (parsed.success) return { input: parsed.data }
  return { refusal: refuse(parsed.error.issues[0]?.path.join('.') ?? 'body') }
}

export const invalidField = (field: string): Answer =>
  refused(422, field.endsWith('number') ? '101' : '702', `Invalid or missing field: ${field}`)

export const isOwnMerchant = ({ account }: Call, merchantAccount: string): boolean =>
  account.options['merchant_account'] === merchantAccount

export const wrongMerchant = (): Answer => refused(403, '901', 'Invalid Merchant Account')

export const idempotencyKeyOf = (call: Pick<Call, 'header'>): string | undefined =>
  call.header('idempotency-key')
