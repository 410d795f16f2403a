/** Every code that an error body can have, the statuses with which it is sent, and what it means. */
export const errorCodes = {
  VALIDATION_ERROR: {
    statuses: [400],
    meaning: 'a field, parameter or header is not valid; `details` says which and why',
  },
  CARD_NUMBER_NOT_ALLOWED: {
    statuses: [400],
    meaning: 'a card number may only be sent in `card_details.card_number`',
  },
  INVALID_OTP: {
    statuses: [400],
    meaning: 'the one-time password is wrong; the message says how many tries are left',
  },
  RATE_MISMATCH: { statuses: [400, 409], meaning: 'fetch a new rate; 409 at an approval, with the new one' },
  UNAUTHORIZED: { statuses: [401], meaning: 'the credentials are missing or invalid' },
  FORBIDDEN: { statuses: [403], meaning: 'the message names the missing permission' },
  KYB_REQUIRED: { statuses: [403], meaning: 'payouts are blocked until the organisation is verified' },
  ORGANIZATION_SUSPENDED: {
    statuses: [403],
    meaning: 'the operator has suspended the organisation: nothing is sent, and what was queued waits',
  },
  PAYOUTS_SUSPENDED: {
    statuses: [403],
    meaning: 'the operator has suspended all payouts of the installation; what was queued waits',
  },
  PROVIDER_ACCOUNT_SUSPENDED: {
    statuses: [409],
    meaning: 'the operator has suspended the provider account that would have to carry it',
  },
  SCREENING_OPEN: {
    statuses: [403],
    meaning: 'a check has not ended, about which people have to decide; nothing was sent',
  },
  SANCTIONS_MATCH: { statuses: [403], meaning: 'a match with a sanctions list was confirmed' },
  ADDRESS_REFUSED: { statuses: [403], meaning: 'crypto cannot be sent to this wallet address' },
  NOT_FOUND: {
    statuses: [404],
    meaning: 'also for resources of another organisation, and for paths that do not exist',
  },
  METHOD_NOT_ALLOWED: { statuses: [405], meaning: 'the path exists; `Allow` lists its methods' },
  CONFLICT: { statuses: [409], meaning: 'the current state does not allow the operation' },
  IDEMPOTENCY_CONFLICT: { statuses: [409], meaning: 'the key was used with another request: use a new key' },
  IDEMPOTENCY_IN_PROGRESS: {
    statuses: [409],
    meaning: 'the first call with the key has no answer yet: repeat the request after `Retry-After`',
  },
  NOT_ERASABLE: {
    statuses: [409],
    meaning: 'a payment of the person has not ended, is disputed, or is under a legal hold',
  },
  BENEFICIARY_CHANGED: {
    statuses: [409],
    meaning: 'the beneficiary was changed or deleted after the payment named it',
  },
  DUPLICATE_BATCH: {
    statuses: [409],
    meaning: 'a batch of the last 24 hours has the same rows; `allow_duplicate` lets it through',
  },
  LINK_TAKEN: { statuses: [409], meaning: 'another payment for the link has started' },
  PAID_LATE: { statuses: [409], meaning: 'a payout that was reported as failed was completed' },
  UPLOAD_TOO_SLOW: {
    statuses: [408],
    meaning: 'the body arrived so slowly that it was given up; nothing was stored',
  },
  PAYLOAD_TOO_LARGE: { statuses: [413], meaning: 'the body is larger than the installation accepts' },
  UNSUPPORTED_MEDIA_TYPE: { statuses: [415], meaning: 'send the body as `application/json`' },
  ROUTING_CONFIG_NOT_FOUND: {
    statuses: [422],
    meaning: 'no provider serves this country, method, currency or amount',
  },
  INSUFFICIENT_FUNDS: {
    statuses: [422],
    meaning: 'the balance does not cover the amount; nothing was sent or booked',
  },
  EXCHANGE_LIMIT: {
    statuses: [422],
    meaning: 'more than the operator lets be exchanged at one rate, or at the open rates of a pair',
  },
  CARDS_HOSTED_ONLY: { statuses: [422], meaning: 'the organisation takes cards on the provider’s page only' },
  PROVIDER_REFUSED: { statuses: [422], meaning: 'the provider refused the call; the message says why' },
  RATE_LIMITED: { statuses: [429], meaning: 'wait for `Retry-After`' },
  INTERNAL_ERROR: { statuses: [500], meaning: 'quote `request_id` to support' },
  ALL_PROVIDERS_FAILED: {
    statuses: [502],
    meaning:
      'every provider refused or could not be reached, and no money moved; `failure` has the last refusal',
  },
  PROVIDER_UNAVAILABLE: {
    statuses: [502],
    meaning: 'the provider could not be reached, and nothing was sent',
  },
  SERVICE_UNAVAILABLE: { statuses: [503], meaning: 'nothing was begun; try again after `Retry-After`' },
  NOTIFICATION_IN_PROGRESS: {
    statuses: [503],
    meaning: 'the notice is being sent; try again after `Retry-After`',
  },
} as const satisfies Record<string, { statuses: readonly number[]; meaning: string }>

export type ErrorCode = keyof typeof errorCodes
export type StatusOf<Code extends ErrorCode> = (typeof errorCodes)[Code]['statuses'][number]

// Object.keys of a constant object returns its keys.
export const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]
