import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import { exponentOf, majorFromMinor, scaledAmount } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'

/** TrueLayer's Problem Details. */
export function problem(status: number, title: string, errors?: Record<string, string[]>): Answer {
  const type = `https://docs.truelayer.com/docs/error-types#${title.toLowerCase().replaceAll(' ', '-')}`
  const body = { type, title, status, detail: title, trace_id: randomUUID(), ...(errors && { errors }) }
  return json(status, body, { 'content-type': 'application/problem+json' })
}

export const invalidParameters = (field: string): Answer =>
  problem(400, 'Invalid Parameters', { [field]: ['Invalid or missing value.'] })

export const notFound = (): Answer => problem(404, 'Not Found')

export function parseRequest<Output>(
  schema: z.ZodType<Output>,
  call: Call,
): { readonly input: Output } | { readonly refusal: Answer } {
  const parsed = schema.safeParse(call.payload ?? {})
  if (parsed.success) return { input: parsed.data }
  return { refusal: invalidParameters(parsed.error.issues[0]?.path.join('.') ?? 'body') }
}

export const idempotencyKeyOf = (call: Pick<OpenCall, 'header'>): string | undefined =>
  call.header('idempotency-key')

export const fingerprintOf = (call: Call): string =>
  createHash('sha256').update(call.path).update(call.rawBody).digest('hex')

const detailsSchema = z.object({
  fingerprint: z.string(),
  /** The answer to a repeat with the same key and payload. */
  answer: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.string()).default({}),
  merchantAccountId: z.string(),
  returnUri: z.string().optional(),
  reference: z.string().default(''),
  /** For a refund. */
  paymentId: z.string().optional(),
  planAfterAction: z.array(z.unknown()).default([]),
})
export type Details = z.input<typeof detailsSchema>
export const detailsOf = ({ details }: Transaction) => detailsSchema.parse(details)

/** The same key with another payload is always an error. */
export function repeated(call: Call, existing: Transaction, status: number): Answer {
  const { fingerprint, answer } = detailsOf(existing)
  if (fingerprint !== fingerprintOf(call)) return problem(422, 'Idempotency-Key Reuse')
  return json(status, answer)
}

export const moneySchema = z.object({
  amount_in_minor: z.int().positive(),
  currency: z.enum(['GBP', 'EUR']),
})
export const majorOf = (amountInMinor: number, currency: string): string =>
  majorFromMinor(amountInMinor, exponentOf(currency))
export const minorOf = ({ amount, currency }: Pick<Transaction, 'amount' | 'currency'>): number =>
  Number(scaledAmount(amount, exponentOf(currency)) ?? 0n)

/** There is one merchant account for each currency. */
export const isOwnAccount = ({ account }: Call, id: string, currency: string): boolean =>
  account.options[`merchant_account_${currency.toLowerCase()}`] === id
