import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import { stepSchema } from '../../core/transaction.ts'
import { failureAnswer } from './failures.ts'

const MAX_METADATA = 10

const uuidSchema = z.uuid({ version: 'v4' })
const partySchema = z.strictObject({
  type: z.literal('MMO'),
  accountDetails: z.strictObject({ phoneNumber: z.string(), provider: z.string() }),
})
const metadataSchema = z.array(z.record(z.string(), z.unknown())).max(MAX_METADATA)

const commonFields = {
  customerMessage: z
    .string()
    .regex(/^[a-zA-Z0-9 ]{4,22}$/)
    .optional(),
  clientReferenceId: z.string().optional(),
  metadata: metadataSchema.optional(),
}

export const depositSchema = z.strictObject({
  depositId: uuidSchema,
  amount: z.string(),
  currency: z.string(),
  payer: partySchema,
  preAuthorisationCode: z.string().optional(),
  successfulUrl: z.url().optional(),
  failedUrl: z.url().optional(),
  ...commonFields,
})

export const payoutSchema = z.strictObject({
  payoutId: uuidSchema,
  amount: z.string(),
  currency: z.string(),
  recipient: partySchema,
  ...commonFields,
})

export const refundSchema = z.strictObject({
  refundId: uuidSchema,
  depositId: uuidSchema,
  amount: z.string().optional(),
  currency: z.string().optional(),
  clientReferenceId: commonFields.clientReferenceId,
  metadata: commonFields.metadata,
})

/** The details of a transaction beside the common fields. */
export const detailsSchema = z.object({
  phoneNumber: z.string(),
  provider: z.string(),
  country: z.string(),
  customerMessage: z.string().optional(),
  clientReferenceId: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  enqueued: z.boolean().optional(),
  /** For a refund, its deposit. */
  depositId: z.string().optional(),
  /** For a redirect deposit. */
  successfulUrl: z.string().optional(),
  failedUrl: z.string().optional(),
  authorizationUrl: z.string().optional(),
  planAfterPayment: z.array(stepSchema).optional(),
})
export type Details = z.infer<typeof detailsSchema>

/** The parsed request, or the 400 that pawaPay would answer. */
export function parseRequest<Output extends object>(
  schema: z.ZodType<Output>,
  payload: unknown,
): { readonly input: Output } | { readonly refusal: Answer } {
  if (typeof payload !== 'object' || payload === null) return { refusal: failureAnswer(400, 'INVALID_INPUT') }
  const parsed = schema.safeParse(payload, { reportInput: true })
  return parsed.success ? { input: parsed.data } : { refusal: refusalOf(parsed.error) }
}

/** Undefined if a key occurs twice, which pawaPay refuses. */
export function flattenMetadata(
  metadata: z.infer<typeof metadataSchema> | undefined,
): Record<string, unknown> | undefined {
  const pairs = (metadata ?? []).flatMap((entry) =>
    Object.entries(entry).filter(([name]) => name !== 'isPII'),
  )
  const flat = Object.fromEntries(pairs)
  return Object.keys(flat).length === pairs.length ? flat : undefined
}

function refusalOf(error: z.ZodError): Answer {
  const issue = error.issues[0]
  if (issue === undefined) return failureAnswer(400, 'INVALID_INPUT')
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return failureAnswer(400, 'UNSUPPORTED_PARAMETER', `Unsupported parameter: ${issue.keys.join(', ')}`)
  }
  if (issue.input === undefined) {
    return failureAnswer(400, 'MISSING_PARAMETER', `Missing parameter: ${path}`)
  }
  return failureAnswer(400, 'INVALID_PARAMETER', `Invalid value of parameter: ${path}`)
}
