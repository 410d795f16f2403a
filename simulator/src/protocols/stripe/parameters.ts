import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import { invalidRequest } from './errors.ts'

const MAX_AMOUNT = 99_999_999

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const amount = integer.pipe(z.int().min(1).max(MAX_AMOUNT))
const currency = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .transform((code) => code.toUpperCase())
const metadata = z.record(z.string().max(40), z.string().max(500)).default({})
const webAddress = z.url({ protocol: /^https?$/ }).max(5_000)
/** Its template `{CHECKOUT_SESSION_ID}` is replaced only if it is not URL-encoded. */
const successAddress = z
  .string()
  .max(5_000)
  .refine((url) => URL.canParse(url))
const address = z.record(z.string(), z.string())
const billingDetails = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  address: address.optional(),
})
const expand = z.array(z.string()).optional()

export const intentParameters = z.strictObject({
  amount,
  currency,
  confirm: z.literal('true'),
  payment_method_types: z.array(z.string()).optional(),
  payment_method_data: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('card'),
      card: z.strictObject({
        number: z.string(),
        exp_month: integer.pipe(z.int().min(1).max(12)),
        exp_year: integer,
        cvc: z
          .string()
          .regex(/^\d{3,4}$/)
          .optional(),
      }),
      billing_details: billingDetails.optional(),
    }),
    z.strictObject({ type: z.literal('customer_balance'), billing_details: billingDetails.optional() }),
  ]),
  payment_method_options: z
    .strictObject({
      customer_balance: z.strictObject({
        funding_type: z.literal('bank_transfer'),
        bank_transfer: z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('gb_bank_transfer') }),
          z.strictObject({
            type: z.literal('eu_bank_transfer'),
            eu_bank_transfer: z.strictObject({ country: z.enum(['BE', 'DE', 'ES', 'FR', 'IE', 'NL']) }),
          }),
        ]),
      }),
    })
    .optional(),
  customer: z.string().optional(),
  description: z.string().max(1_000).optional(),
  metadata,
  receipt_email: z.string().optional(),
  return_url: webAddress.optional(),
  expand,
})
export type IntentParameters = z.infer<typeof intentParameters>

export const sessionParameters = z.strictObject({
  mode: z.literal('payment'),
  success_url: successAddress,
  cancel_url: webAddress.optional(),
  client_reference_id: z.string().max(200).optional(),
  customer_email: z.string().optional(),
  expires_at: integer.optional(),
  metadata,
  payment_intent_data: z
    .strictObject({
      metadata,
      description: z.string().max(1_000).optional(),
      receipt_email: z.string().optional(),
    })
    .optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  line_items: z
    .array(
      z.strictObject({
        quantity: integer.pipe(z.int().min(1)),
        price_data: z.strictObject({
          currency,
          unit_amount: amount,
          product_data: z.strictObject({ name: z.string().min(1), description: z.string().optional() }),
        }),
      }),
    )
    .min(1),
  expand,
})

export const customerParameters = z.strictObject({
  name: z.string().max(256).optional(),
  email: z.string().max(512).optional(),
  phone: z.string().max(20).optional(),
  description: z.string().optional(),
  address: address.optional(),
  metadata,
  expand,
})

export const fundParameters = z.strictObject({
  amount,
  currency,
  reference: z.string().optional(),
  expand,
})

export const refundParameters = z.strictObject({
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  amount: amount.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
  expand,
})

export const cancelParameters = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand,
})

type ParseResult<Output> = { readonly input: Output } | { readonly refusal: Answer }

/** The parameters, or Stripe's 400. */
export function parseParameters<Output extends object>(
  schema: z.ZodType<Output>,
  payload: unknown,
): ParseResult<Output> {
  const parsed = schema.safeParse(payload ?? {}, { reportInput: true })
  return parsed.success ? { input: parsed.data } : { refusal: refusalOf(parsed.error) }
}

function refusalOf(error: z.ZodError): Answer {
  const [issue] = error.issues
  if (issue === undefined) return invalidRequest('parameter_invalid_empty', 'The request is invalid.')
  const param = nameOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, ...issue.keys.slice(0, 1)])
    return invalidRequest('parameter_unknown', `Received unknown parameter: ${unknown}`, unknown)
  }
  if (issue.input === undefined) {
    return invalidRequest('parameter_missing', `Missing required param: ${param}.`, param)
  }
  return invalidRequest('parameter_invalid', `Invalid value for parameter: ${param}`, param)
}

function nameOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path.map(String)
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`
}
