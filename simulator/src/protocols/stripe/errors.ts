import { json, type Answer } from '../../core/answer.ts'
import type { FailureReason } from '../../sentinels.ts'

interface StripeError {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
}

const MESSAGES: Readonly<Record<string, string>> = {
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  incorrect_number: 'Your card number is incorrect.',
  insufficient_funds: 'Your card has insufficient funds.',
  invalid_expiry_year: "Your card's expiration year is invalid.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  payment_intent_authentication_failure:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  payment_intent_payment_attempt_failed: 'The payment failed.',
}
const DECLINED_MESSAGE = 'Your card was declined.'

/** Declines with their own `code`; all others are `card_declined` with a `decline_code`. */
const OWN_CODES = new Set([
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'invalid_expiry_year',
  'processing_error',
])
const INTENT_CODES = new Set([
  'payment_intent_authentication_failure',
  'payment_intent_payment_attempt_failed',
])

/** The content of `error` and `last_payment_error` for this failure. */
export function paymentErrorOf(code: string): StripeError {
  const message = paymentMessageOf(code)
  if (INTENT_CODES.has(code)) return { type: 'invalid_request_error', code, message }
  return {
    type: 'card_error',
    code: OWN_CODES.has(code) ? code : 'card_declined',
    decline_code: code,
    message,
  }
}

export function paymentMessageOf(code: string): string {
  return MESSAGES[code] ?? DECLINED_MESSAGE
}

export function cardCodeOf(reason: FailureReason): string {
  switch (reason) {
    case 'temporarily_unavailable':
      return 'try_again_later'
    case 'insufficient_funds':
      return 'insufficient_funds'
    case 'declined':
      return 'restricted_card'
    case 'not_approved':
      return 'payment_intent_authentication_failure'
    case 'reversed':
      return 'fraudulent'
  }
}

export function errorAnswer(status: number, error: StripeError & Record<string, unknown>): Answer {
  return json(status, { error })
}

export function invalidRequest(code: string, message: string, param?: string): Answer {
  return errorAnswer(400, { type: 'invalid_request_error', code, message, ...(param && { param }) })
}

/** 404 for an unknown id in the path, 400 for one in the parameters. */
export function noSuch(what: string, id: string, param?: string): Answer {
  return errorAnswer(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: param ?? 'id',
  })
}

export const SERVER_ERROR = errorAnswer(500, {
  type: 'api_error',
  message: 'An unknown error occurred',
})

export const RATE_LIMITED = errorAnswer(429, {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Request rate limit exceeded.',
})
