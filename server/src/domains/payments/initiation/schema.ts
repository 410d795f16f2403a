import cardValidator from 'card-validator'
import { z } from 'zod'
import { bankInstructionFields } from '../../../connectors/kit/bank-instructions.ts'
import { decimalInput, digitsOf } from '../../../lib/money/decimal-input.ts'
import type { InexactNumber } from '../../../lib/text/json.ts'
import { canonicalDecimal, isExactJson, type RawNumber } from '../../../lib/text/json.ts'
import { isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { countryCode, initiationError, userId, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { PaymentAction } from '../attempts/submit-action.ts'
import { lastAttempt, type LoadedPayment } from '../record.ts'
import { toFeeFields } from '../schema.ts'

/** Spec 2.1 and 2.2: the request and the response of an initiation. */
const amountLimit = 1e15
const amount = z.number().positive().lt(amountLimit).meta({ format: 'double', example: 1500.25 })
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })
const text = (limit: number) => z.string().trim().min(1).max(limit)
const optionalText = (limit: number) => text(limit).nullish()

const payerDetails = z.object({
  name: optionalText(200),
  email: z.email().max(320).nullish(),
  phone: optionalText(30),
})
const mobileMoneyDetails = z.object({ provider: text(60), phone_number: text(30) })
export const cardDetails = z.object({
  card_number: z
    .string()
    .regex(/^\d{13,19}$/, 'must be 13 to 19 digits')
    .refine(
      (digits) => cardValidator.number(digits, { luhnValidateUnionPay: true }).isValid,
      'is not a card number',
    ),
  expiry_month: z.string().regex(/^(?:0?[1-9]|1[0-2])$/, 'must be 01 to 12'),
  expiry_year: z.string().regex(/^(?:\d{2}|\d{4})$/, 'must be a year of two or four digits'),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/, 'must be 3 or 4 digits')
    .nullish(),
  card_holder_name: optionalText(200),
})
const bankDetails = z.object({
  account_name: optionalText(200),
  account_number: text(34),
  bank_name: optionalText(200),
  country: countryCode.nullish(),
  bank_code: optionalText(34),
})
const bankAccount = z.object({
  account_number: text(34),
  bank_code: optionalText(34),
  bank_name: optionalText(200),
})

export const initiateBody = z
  .object({
    amount,
    target_amount: decimalInput(1500.25).meta({
      description:
        'The same as amount, or amount times the locked rate, exact or rounded: it may differ by one minor unit.',
    }),
    currency,
    target_currency: currency,
    payment_method: z.enum(['mobile_money', 'bank_transfer', 'card']),
    direction: z.enum(['payin', 'payout']),
    user_id: userId.optional(),
    org_id: uuid.optional(),
    country: countryCode.nullish(),
    org_rate_id: text(255).toLowerCase().nullish().meta({ example: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f' }),
    client_reference: optionalText(255),
    description: optionalText(500),
    payer_details: payerDetails.nullish(),
    mobile_money_details: mobileMoneyDetails.nullish(),
    card_details: cardDetails.nullish(),
    bank_details: bankDetails.nullish(),
    bank_account: bankAccount.nullish(),
    beneficiary_id: uuid.nullish(),
    return_url: z.url().max(2000).nullish(),
    metadata: z
      .record(z.string().max(100), z.unknown())
      .refine(isExactJson, 'has a number with more digits than JSON can carry: send it as text')
      .nullish(),
  })
  .superRefine((body, context) => {
    for (const [path, message] of problemsOf(body))
      context.addIssue({ code: 'custom', path: [path], message })
  })

/** Requests that we make ourselves name their amount by its digits. */
export type InitiateBody = Omit<z.infer<typeof initiateBody>, 'amount'> & { amount: number | InexactNumber }

const metadataLimit = 50

/** The requirements that depend on more than one field. */
function* problemsOf(body: z.infer<typeof initiateBody>): Generator<[string, string]> {
  const { payment_method: method, direction } = body
  if (direction === 'payin' && !body.payer_details) yield ['payer_details', 'is required for a payin']
  if (direction === 'payout' && !body.beneficiary_id) yield ['beneficiary_id', 'is required for a payout']
  // A payout goes to the registered account of the beneficiary, which the request need not repeat.
  const isPayin = direction === 'payin'
  if (isPayin && method === 'mobile_money' && !body.mobile_money_details)
    yield ['mobile_money_details', 'is required for mobile_money']
  if (method === 'card' && direction === 'payout') yield ['payment_method', 'card cannot be paid out to']
  if (isPayin && method === 'bank_transfer' && !body.bank_details)
    yield ['bank_details', 'is required for bank_transfer']
  if (isPayin && method === 'bank_transfer' && !body.bank_account)
    yield ['bank_account', 'is required for bank_transfer']
  if (body.currency !== body.target_currency && !body.org_rate_id)
    yield ['org_rate_id', 'is required when the currencies differ']
  yield* amountProblems(body)
  if (Object.keys(body.metadata ?? {}).length > metadataLimit)
    yield ['metadata', `has more than ${metadataLimit} keys`]
}

function* amountProblems(body: z.infer<typeof initiateBody>): Generator<[string, string]> {
  // Zod runs this even when single fields are invalid.
  if (!isFiat(body.currency) || !isFiat(body.target_currency)) return
  const source = parseMinor(String(body.amount), body.currency)
  const isSame = canonicalDecimal(digitsOf(body.target_amount)) === canonicalDecimal(String(body.amount))
  if (source === undefined) yield ['amount', `has more decimals than ${body.currency} has`]
  if (body.currency === body.target_currency && !isSame)
    yield ['target_amount', 'must equal amount when the currencies are the same']
}

export const actionBody = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('submit_otp'),
    otp: z.string().regex(/^[A-Za-z0-9]{3,12}$/, 'must be 3 to 12 letters or digits'),
  }),
  z.object({ action: z.literal('resend_otp') }),
  z.object({ action: z.literal('cancel') }),
])

export const toPaymentAction = (body: z.infer<typeof actionBody>): PaymentAction =>
  body.action === 'submit_otp' ? { type: body.action, otp: body.otp } : { type: body.action }

const nextActions = z.enum([
  'redirect',
  'wait',
  'bank_transfer',
  'pay_by_link',
  'collect_otp',
  'check_status',
])

export const initiationResponse = z
  .object({
    statusCode: z.int(),
    response: z.object({
      success: z.boolean(),
      payment_id: uuid,
      transaction_id: uuid,
      status: z.string().meta({ example: 'processing' }),
      next_action: nextActions.optional(),
      redirect_url: z
        .string()
        .nullable()
        .optional()
        .meta({ example: 'https://checkout.example.com/pay/7c1f' }),
      provider: z.string().nullable(),
      message: z.string().nullable(),
      payment_data: z.object({
        amount: wireDecimal,
        currency: z.string(),
        target_amount: wireDecimal,
        target_currency: z.string(),
        metadata: z.record(z.string(), z.unknown()).nullable(),
        fee_ids: z.array(z.string()).meta({ example: ['0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'] }),
        total_fees: wireDecimal.nullable(),
        fees_currency: z.string().nullable(),
      }),
      ...bankInstructionFields,
      reference: z.string().optional(),
      amount: wireDecimal.optional(),
      currency: z.string().optional(),
      expires_at: z.string().optional(),
      payment_link: z.string().optional(),
    }),
  })
  .meta({ id: 'InitiationResponse' })

type InitiationView = z.input<typeof initiationResponse>

export function toInitiationResponse(loaded: LoadedPayment): InitiationView {
  const { payment } = loaded
  const paymentData = {
    amount: wireAmount(payment.source.amountMinor, payment.source.currency),
    currency: payment.source.currency,
    target_amount: wireAmount(payment.target.amountMinor, payment.target.currency),
    target_currency: payment.target.currency,
    metadata: payment.metadata,
    ...toFeeFields(payment.fee),
  }
  return {
    statusCode: 200,
    response: {
      success: payment.status !== 'failed' && payment.status !== 'rejected',
      payment_id: payment.paymentId,
      transaction_id: payment.paymentId,
      status: payment.status,
      provider: payment.provider,
      message: messageOf(loaded),
      payment_data: paymentData,
      ...nextActionFields(loaded, paymentData),
    },
  }
}

function messageOf({ payment, attempts }: LoadedPayment): string {
  if (payment.failureMessage !== null) return payment.failureMessage
  if (attempts.at(-1)?.state === 'unknown')
    return 'The provider has not confirmed the payment yet. Poll for the outcome; do not send it again.'
  const action = payment.nextAction
  if ((action?.type === 'collect_otp' || action?.type === 'wait') && action.message !== undefined)
    return action.message
  return messages[payment.status]
}

const messages: Record<LoadedPayment['payment']['status'], string> = {
  initiated: 'The payment waits for approval.',
  reviewed: 'The payment was approved once and waits for a second person.',
  confirmed: 'The payment is about to be sent.',
  processing: 'The payment is under way.',
  pending: 'The payment waits for the customer or the funds.',
  completed: 'The payment is complete.',
  failed: 'The payment failed.',
  refunded: 'The payment was refunded.',
  rejected: 'The payment was rejected.',
  canceled: 'The payment was canceled.',
}

function nextActionFields(
  loaded: LoadedPayment,
  data: { amount: RawNumber; currency: string },
): Partial<InitiationView['response']> {
  const action = loaded.payment.nextAction
  if (lastAttempt(loaded)?.state === 'unknown') return { next_action: 'check_status' }
  const isWaiting =
    loaded.payment.status === 'processing' ||
    (loaded.payment.status === 'confirmed' && lastAttempt(loaded)?.state === 'declined')
  if (!action) return isWaiting ? { next_action: 'check_status' } : {}
  switch (action.type) {
    case 'redirect':
      return { next_action: 'redirect', redirect_url: action.url }
    case 'bank_transfer':
      return {
        next_action: 'bank_transfer',
        ...action.instructions,
        amount: data.amount,
        currency: data.currency,
      }
    case 'pay_by_link':
      return { next_action: 'pay_by_link', payment_link: action.paymentLink }
    case 'collect_otp':
    case 'wait':
    case 'check_status':
      return { next_action: action.type }
    // Only ramps have this action, and their response is built elsewhere.
    case 'crypto_transfer':
      return { next_action: 'wait' }
  }
}

type InitiationErrors<Status extends number> = Record<Status, typeof initiationError>

/** The initiation endpoints have their own error body. */
export const initiationErrors = <Status extends 404 | 409 | 422 | 502>(
  ...statuses: Status[]
): InitiationErrors<Status | 400 | 401 | 403 | 409 | 413 | 415 | 429 | 500 | 503> =>
  Object.fromEntries(
    [400, 401, 403, 409, 413, 415, 429, 500, 503, ...statuses].map((status) => [status, initiationError]),
  ) as InitiationErrors<Status | 400 | 401 | 403 | 409 | 413 | 415 | 429 | 500 | 503> // keys are exactly those listed
