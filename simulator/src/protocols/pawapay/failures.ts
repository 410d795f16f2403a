import { json, type Answer } from '../../core/answer.ts'
import type { Failure, MoneyOperation } from '../../core/transaction.ts'
import type { DeclineReason, FailureReason } from '../../sentinels.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  NO_AUTHENTICATION: 'The API token is missing from the request.',
  AUTHENTICATION_ERROR: 'The API token is not valid.',
  HTTP_SIGNATURE_ERROR: 'The signature of the request could not be verified.',
  INVALID_INPUT: 'The request body could not be parsed.',
  AMOUNT_OUT_OF_BOUNDS: 'The amount is outside the limits of this provider.',
  INVALID_AMOUNT: 'The amount is not in a format that this provider supports.',
  INVALID_PHONE_NUMBER: 'The phone number does not fit this provider.',
  INVALID_CURRENCY: 'This provider does not support the currency.',
  INVALID_PROVIDER: 'The provider is unknown or not enabled.',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'The provider is temporarily unavailable.',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'The wallet has not enough funds.',
  PAYMENT_NOT_APPROVED: 'The payer did not approve the payment.',
  INSUFFICIENT_BALANCE: 'The payer has not enough funds.',
  PAYER_NOT_FOUND: 'The phone number does not belong to the provider.',
  PAYER_LIMIT_REACHED: 'The payer has reached a limit of their wallet.',
  RECIPIENT_NOT_FOUND: 'The phone number does not belong to the provider.',
  RECIPIENT_LIMIT_REACHED: 'The recipient has reached a limit of their wallet.',
  WALLET_LIMIT_REACHED: 'The wallet has reached one of its limits.',
  MANUALLY_CANCELLED: 'The payment was cancelled while enqueued.',
  TRANSACTION_ALREADY_IN_PROCESS: 'Another transaction is in process on this wallet.',
  NOT_FOUND: 'No such payment.',
  INVALID_STATE: 'The payment is not in a state that allows this.',
  AMOUNT_TOO_LARGE: 'The amount is larger than what is left to refund.',
  DEPOSIT_ALREADY_REFUNDED: 'The deposit has already been refunded.',
  REFUND_IN_PROGRESS: 'Another refund of this deposit is in progress.',
  UNSPECIFIED_FAILURE: 'The provider gave no reason.',
  UNKNOWN_ERROR: 'Unable to process the request because of an unknown problem.',
}

export function failureMessageOf(code: string): string {
  return MESSAGES[code] ?? code
}

export function failureReason(code: string, message = failureMessageOf(code)) {
  return { failureCode: code, failureMessage: message }
}

/** Every answer except HTTP 200 contains only the failure reason. */
export function failureAnswer(status: number, code: string, message?: string): Answer {
  return json(status, { failureReason: failureReason(code, message) })
}

export function rejection(id: Readonly<Record<string, string>>, code: string): Answer {
  return json(200, { ...id, status: 'REJECTED', failureReason: failureReason(code) })
}

/** The code of an immediate rejection; undefined if pawaPay accepts the payment and fails it later. */
export function rejectionCodeOf(operation: MoneyOperation, reason: DeclineReason): string | undefined {
  if (reason === 'temporarily_unavailable') return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
  if (reason === 'insufficient_funds' && operation !== 'collect') return 'PAWAPAY_WALLET_OUT_OF_FUNDS'
  return undefined
}

export function failureOf(operation: MoneyOperation, reason: FailureReason): Failure {
  const code = failureCodeOf(operation, reason)
  return { code, message: failureMessageOf(code) }
}

function failureCodeOf(operation: MoneyOperation, reason: FailureReason): string {
  const isDeposit = operation === 'collect'
  switch (reason) {
    case 'temporarily_unavailable':
      return 'PROVIDER_TEMPORARILY_UNAVAILABLE'
    case 'insufficient_funds':
      return isDeposit ? 'INSUFFICIENT_BALANCE' : 'PAWAPAY_WALLET_OUT_OF_FUNDS'
    case 'declined':
      return isDeposit ? 'PAYER_NOT_FOUND' : 'RECIPIENT_NOT_FOUND'
    case 'not_approved':
      return isDeposit ? 'PAYMENT_NOT_APPROVED' : 'UNSPECIFIED_FAILURE'
    case 'reversed':
      return 'UNSPECIFIED_FAILURE'
  }
}
