/**
 * The field tables of section 2 of the API specification, as data. A type ends in `|null` where the specification marks
 * the field as nullable; a name ends in `?` where it says that the field may be missing, and for a date-time or a number
 * that may have no value.
 */
export type SpecShape = Readonly<Record<string, string>>

const moments = { created_at: 'date-time', updated_at: 'date-time' }

export const initiationResponse: SpecShape = {
  success: 'boolean',
  payment_id: 'string',
  transaction_id: 'string',
  status: 'string',
  'next_action?': 'string',
  'redirect_url?': 'string|null',
  provider: 'string|null',
  message: 'string|null',
  payment_data: 'object|null',
}

export const rampResponse: SpecShape = {
  success: 'boolean',
  payment_id: 'string',
  transaction_id: 'string',
  direction: 'string',
  status: 'string',
  fiat_currency: 'string',
  fiat_amount: 'number',
  crypto_currency: 'string',
  crypto_network: 'string',
  crypto_amount: 'number',
  provider: 'string',
  expires_at: 'date-time',
  next_action: 'string',
  payment_instructions: 'object',
}

export const paymentRecord: SpecShape = {
  payment_id: 'string',
  amount: 'number',
  currency: 'string',
  user_id: 'string',
  status: 'string',
  direction: 'string',
  payment_method: 'string',
  org_id: 'string|null',
  beneficiary_id: 'string',
  transaction_id: 'string|null',
  target_amount: 'number|null',
  target_currency: 'string|null',
  from_currency: 'string|null',
  region_id: 'string|null',
  payment_path_method: 'string|null',
  bank_account: 'object',
  card_details: 'object',
  mobile_money_details: 'object',
  payer_details: 'object',
  recipient_info: 'object',
  metadata: 'object',
  user_metadata: 'object',
  webhook_metadata: 'object',
  fee_ids: 'array',
  total_fees: 'number|null',
  provider: 'string|null',
  provider_payment_id: 'string|null',
  provider_status: 'string|null',
  provider_data: 'object',
  payout_initiated: 'boolean',
  payout_id: 'string|null',
  instructions: 'string|null',
  comments: 'string|null',
  ...moments,
}

export const apiKey: SpecShape = {
  api_key_id: 'string',
  prefix: 'string',
  name: 'string',
  org_id: 'string',
  user_id: 'string',
  status: 'string',
  ...moments,
}

export const webhook: SpecShape = {
  webhook_id: 'string',
  org_id: 'string',
  endpoint_url: 'string',
  'secret_key?': 'string',
  events: 'array',
  status: 'string',
  created_at: 'date-time',
}

export const beneficiary: SpecShape = {
  beneficiary_id: 'string',
  account_type: 'string',
  beneficiary_of: 'string',
  beneficiary_type: 'string',
  country: 'string',
  currency: 'string',
  fname: 'string',
  lname: 'string',
  email: 'string',
  phone_number: 'string',
  momo_details: 'object',
  bank_details: 'object',
  loan_client_details: 'object',
  external_account_id: 'string',
  created_at: 'string',
  updated_at: 'string',
}

export const virtualAccount: SpecShape = {
  account_id: 'string',
  org_id: 'string',
  user_id: 'string',
  customer_id: 'string',
  virtual_account_name: 'string',
  currency: 'string',
  balance: 'number',
  status: 'string',
  account_type: 'string',
  provider: 'string',
  ...moments,
}

export const virtualTransaction: SpecShape = {
  transaction_id: 'string',
  account_id: 'string',
  org_id: 'string',
  user_id: 'string',
  type: 'string',
  status: 'string',
  amount: 'number',
  fee: 'number',
  currency: 'string',
  description: 'string',
  payment_rail: 'string',
  reference: 'string',
  ...moments,
}

export const paymentLink: SpecShape = {
  link_id: 'string',
  org_id: 'string',
  email: 'string',
  link_ref: 'string',
  amount: 'number',
  currency: 'string',
  payer_currency: 'string',
  description: 'string',
  amount_type: 'string',
  status: 'string',
  'expires_at?': 'date-time',
  'paid_at?': 'date-time',
  created_at: 'date-time',
  url: 'string',
}

export const milestone: SpecShape = {
  milestone_id: 'string',
  label: 'string',
  sequence: 'integer',
  expected_disbursement: 'number',
  status: 'string',
  disbursed_total: 'number',
  description: 'string',
  'due_date?': 'string',
  'contract_submitted_at?': 'string',
  'disbursed_at?': 'string',
  parties: 'array',
  funding_status: 'string',
  covered_amount: 'number',
}

export const providerConfig: SpecShape = {
  provider: 'string',
  country: 'string',
  payment_method: 'string',
  direction: 'string',
  api_version: 'string',
  priority: 'integer',
  is_active: 'boolean',
  webhook_required: 'boolean',
  org_id: 'string|null',
  'min_amount?': 'number',
  'max_amount?': 'number',
  description: 'string',
  webhook_url: 'string',
  config_id: 'string',
  ...moments,
}

export const ukAccount: SpecShape = { success: 'boolean', accountDetails: 'object' }
export const ukAccountDetails: SpecShape = {
  sortCode: 'string',
  accountNumber: 'string',
  validated: 'boolean',
  message: 'string',
}

export const verificationResponse: SpecShape = {
  message: 'string',
  target_type: 'string',
  verification_type: 'string',
  transaction_id: 'string',
  'results?': 'array',
  all_success: 'boolean',
}
export const verificationResult: SpecShape = {
  target: 'string',
  message: 'string',
  user_id: 'string',
  request_id: 'string',
  status: 'string',
  success: 'boolean',
}

/** The closed lists of values that section 2 and section 3 give. */
export const specValues = {
  status: [
    'initiated',
    'reviewed',
    'confirmed',
    'processing',
    'pending',
    'completed',
    'failed',
    'refunded',
    'rejected',
    'canceled',
  ],
  next_action: ['redirect', 'wait', 'bank_transfer', 'pay_by_link', 'collect_otp', 'check_status'],
  direction: ['inbound', 'outbound', 'external'],
  payment_method: ['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'],
} as const
