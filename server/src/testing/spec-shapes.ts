import { z } from 'zod'
import { specValues } from './spec/fields.ts'

/** Shapes of the API specification, copied by hand and independent of the server's schemas. */
export const text = z.string()
export const nullable = text.nullable()
const moment = z.iso.datetime()
export const object = z.record(z.string(), z.unknown())
export const success = (data: z.ZodType) => z.object({ status: z.literal('success'), data })
export const cursorMeta = z.object({ count: z.int(), last_evaluated_key: nullable })

export const initiation = z.object({
  statusCode: z.literal(200),
  response: z.object({
    success: z.boolean(),
    payment_id: text,
    transaction_id: text,
    status: text,
    next_action: z.enum(specValues.next_action).optional(),
    redirect_url: nullable.optional(),
    provider: nullable,
    message: nullable,
    payment_data: z.object({
      amount: z.number(),
      currency: text,
      target_amount: z.number(),
      target_currency: text,
      metadata: object.nullable(),
    }),
  }),
})

export const ramp = z.object({
  statusCode: z.literal(200),
  response: z.object({
    success: z.boolean(),
    payment_id: text,
    transaction_id: text,
    direction: z.enum(['on_ramp', 'off_ramp']),
    status: z.literal('pending'),
    fiat_currency: text,
    fiat_amount: z.number(),
    crypto_currency: text,
    crypto_network: text,
    crypto_amount: z.number(),
    provider: text,
    expires_at: moment,
    next_action: z.literal('make_transfer'),
    payment_instructions: z.object({
      type: z.literal('bank_transfer'),
      account_name: text,
      account_number: text,
      bank_name: text,
      amount: z.number(),
      currency: text,
      reference: text,
    }),
  }),
})

export const record = z.object({
  payment_id: text,
  amount: z.number(),
  currency: text,
  user_id: text,
  status: z.enum(specValues.status),
  direction: z.enum(specValues.direction),
  payment_method: z.enum(specValues.payment_method),
  org_id: nullable,
  transaction_id: nullable,
  target_amount: z.number().nullable(),
  target_currency: nullable,
  from_currency: nullable,
  region_id: nullable,
  payment_path_method: z.enum(['direct', 'intermediary', 'third_party']).nullable(),
  fee_ids: z.array(text),
  total_fees: z.number().nullable(),
  provider: nullable,
  provider_payment_id: nullable,
  provider_status: nullable,
  payout_initiated: z.boolean(),
  payout_id: nullable,
  instructions: nullable,
  comments: nullable,
  created_at: moment,
  updated_at: moment,
})

export const apiKeyShape = z.object({
  api_key_id: text,
  prefix: text,
  name: text,
  org_id: text,
  user_id: text,
  status: text,
  created_at: moment,
  updated_at: moment,
})

export const webhookShape = z.object({
  webhook_id: text,
  org_id: text,
  endpoint_url: text,
  secret_key: text,
  events: z.array(text),
  status: text,
  created_at: moment,
})

/** The secret appears only in the answer that creates it. */
export const listedWebhook = webhookShape
  .pick({ webhook_id: true, endpoint_url: true, status: true })
  .extend({ secret_key: z.undefined().optional() })

export const beneficiaryShape = z.object({
  beneficiary_id: text,
  account_type: text,
  beneficiary_of: text,
  beneficiary_type: text,
  country: text,
  currency: text,
  fname: text,
  lname: text,
  email: text,
  phone_number: text,
  momo_details: object,
  bank_details: object,
  loan_client_details: object,
  external_account_id: text,
  created_at: text,
  updated_at: text,
})

export const providerConfig = z.object({
  provider: text,
  country: text,
  payment_method: text,
  direction: z.enum(['inbound', 'outbound', 'external']),
  api_version: text,
  priority: z.int(),
  is_active: z.boolean(),
  webhook_required: z.boolean(),
  org_id: nullable,
  min_amount: z.number().optional(),
  max_amount: z.number().optional(),
  description: text,
  webhook_url: text,
  config_id: text,
  created_at: moment,
  updated_at: moment,
})

export const verificationResult = z.object({
  target: text,
  message: text,
  user_id: text,
  request_id: text,
  status: text,
  success: z.boolean(),
})

export const ukAccount = z.object({
  success: z.boolean(),
  accountDetails: z.object({ sortCode: text, accountNumber: text, validated: z.boolean(), message: text }),
})

export const paymentLink = z.object({
  link_id: text,
  org_id: text,
  email: text,
  link_ref: text,
  amount: z.number(),
  currency: text,
  payer_currency: text,
  description: text,
  amount_type: text,
  status: z.literal('active'),
  expires_at: moment.optional(),
  paid_at: moment.optional(),
  created_at: text,
  url: text,
})

export const virtualAccount = z.object({
  account_id: text,
  org_id: text,
  user_id: text,
  customer_id: text,
  virtual_account_name: text,
  currency: text,
  balance: z.number(),
  status: z.literal('active'),
  account_type: z.literal('currency'),
  provider: text,
  created_at: text,
  updated_at: text,
})

export const virtualTransaction = z.object({
  transaction_id: text,
  account_id: text,
  org_id: text,
  user_id: text,
  type: z.literal('credit'),
  status: text,
  amount: z.number(),
  fee: z.number(),
  currency: text,
  description: text,
  payment_rail: text,
  reference: text,
  created_at: text,
  updated_at: text,
})

export const milestone = z.object({
  milestone_id: text,
  label: text,
  sequence: z.int(),
  expected_disbursement: z.number(),
  status: z.literal('pending'),
  disbursed_total: z.number(),
  description: text,
  due_date: text.optional(),
  contract_submitted_at: text.optional(),
  disbursed_at: text.optional(),
  parties: z
    .array(z.object({ party_id: text, split_type: z.literal('percentage'), split_value: z.number() }))
    .min(1),
  funding_status: text,
  covered_amount: z.number(),
})

export const manualConfig = {
  provider: 'manual',
  country: 'FR',
  payment_method: 'bank_transfer',
  direction: 'inbound',
  priority: 5,
  min_amount: 1,
  max_amount: 500,
}
