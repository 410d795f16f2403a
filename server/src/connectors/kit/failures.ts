import type { Failure, ProviderState } from './state.ts'

/** The failure codes of the API and their messages, independent of the provider. */
const messages = {
  ACCOUNT_INVALID: 'The account or phone number is not valid for this network or bank.',
  ACCOUNT_LIMIT_REACHED: 'The account has reached one of its limits.',
  ACCOUNT_NOT_FOUND: 'The account or phone number is not known to this network or bank.',
  ADDRESS_INVALID: 'The wallet address is not valid for this asset and network.',
  AMOUNT_NOT_ALLOWED: 'The amount is not allowed for this payment method.',
  AUTHENTICATION_FAILED: 'The customer could not be authenticated.',
  CARD_DECLINED: 'The card was declined.',
  CARD_EXPIRED: 'The card has expired.',
  CARD_INVALID: 'The card details are not valid.',
  CURRENCY_NOT_SUPPORTED: 'The currency is not supported for this payment method.',
  EXPIRED: 'The payment was not made in time.',
  INSUFFICIENT_FUNDS: 'The account does not have enough funds.',
  NETWORK_NOT_SUPPORTED: 'The network or bank is not supported.',
  NOT_APPROVED: 'The customer did not approve the payment.',
  NOT_CANCELABLE: 'The payment can no longer be canceled.',
  NOT_REFUNDABLE: 'The payment cannot be refunded by this amount.',
  OTHER_PAYMENT_IN_PROGRESS: 'Another payment of the same customer is in progress.',
  PROVIDER_OUT_OF_FUNDS: 'The provider’s wallet does not have enough funds for this payout.',
  PROVIDER_REFUSED: 'The provider did not accept the request.',
  PROVIDER_UNAVAILABLE: 'The provider or the network is temporarily unavailable.',
  RETURNED: 'The money was returned to the payer.',
  RETURN_FAILED: 'The money could not be returned to the payer.',
  REVERSED: 'The payment was reversed.',
  SUSPECTED_FRAUD: 'The payment was refused for security reasons.',
  UNSPECIFIED: 'The payment failed and the provider gave no reason.',
} as const

export type FailureCode = keyof typeof messages

export const failureOf = (code: FailureCode): Failure => ({ code, message: messages[code] })

export const failedWith = (code: FailureCode): ProviderState => ({
  state: 'failed',
  failure: failureOf(code),
})
