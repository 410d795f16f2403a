import type { Attempt, Card, CollectDetails, RefundRequest } from '../kit/connector.ts'
import type { Form } from '../kit/form-body.ts'
import { eurAccountCountries } from './credentials.ts'
import { flowKey, referenceKey } from './mapping.ts'

const nameCharacters = 250
const descriptionCharacters = 1_000

type Flow = 'direct' | 'hosted' | 'bank_transfer'
const marks = (reference: string, flow: Flow, metadata = 'metadata'): Form => ({
  [`${metadata}[${referenceKey}]`]: reference,
  [`${metadata}[${flowKey}]`]: flow,
})

const intentForm = ({ amount, reference }: Attempt, { description }: CollectDetails, flow: Flow): Form => ({
  amount: amount.amountMinor,
  currency: amount.currency.toLowerCase(),
  confirm: 'true',
  description: description?.slice(0, descriptionCharacters),
  ...marks(reference, flow),
})

/** The only request that contains a card. */
export const cardForm = (attempt: Attempt, details: CollectDetails, card: Card): Form => ({
  ...intentForm(attempt, details, 'direct'),
  'payment_method_types[0]': 'card',
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': card.number.replaceAll(/\D/g, ''),
  'payment_method_data[card][exp_month]': card.expiryMonth,
  'payment_method_data[card][exp_year]': card.expiryYear,
  'payment_method_data[card][cvc]': card.cvv,
  'payment_method_data[billing_details][name]': card.holderName ?? details.payer.name,
  'payment_method_data[billing_details][email]': details.payer.email,
  'payment_method_data[billing_details][phone]': details.payer.phone,
  return_url: details.returnUrl,
})

export const sessionForm = ({ reference, amount }: Attempt, details: CollectDetails): Form => ({
  mode: 'payment',
  success_url: details.returnUrl,
  cancel_url: details.returnUrl,
  client_reference_id: reference,
  customer_email: details.payer.email,
  'payment_method_types[0]': 'card',
  'line_items[0][quantity]': 1,
  'line_items[0][price_data][currency]': amount.currency.toLowerCase(),
  'line_items[0][price_data][unit_amount]': amount.amountMinor,
  'line_items[0][price_data][product_data][name]': details.description?.slice(0, nameCharacters) ?? 'Payment',
  ...marks(reference, 'hosted'),
  ...marks(reference, 'hosted', 'payment_intent_data[metadata]'),
})

export const customerForm = ({ reference }: Attempt, { payer }: CollectDetails): Form => ({
  name: payer.name?.slice(0, nameCharacters),
  email: payer.email,
  ...marks(reference, 'bank_transfer'),
})

export function transferForm(attempt: Attempt, details: CollectDetails, eurAccountCountry: string): Form {
  const isBritish = attempt.amount.currency === 'GBP'
  const country = eurAccountCountries.find((one) => one === attempt.country) ?? eurAccountCountry
  const options = 'payment_method_options[customer_balance]'
  return {
    ...intentForm(attempt, details, 'bank_transfer'),
    'payment_method_types[0]': 'customer_balance',
    'payment_method_data[type]': 'customer_balance',
    [`${options}[funding_type]`]: 'bank_transfer',
    [`${options}[bank_transfer][type]`]: isBritish ? 'gb_bank_transfer' : 'eu_bank_transfer',
    [`${options}[bank_transfer][eu_bank_transfer][country]`]: isBritish ? undefined : country,
  }
}

export const refundForm = (intentId: string, { amount, reference }: RefundRequest): Form => ({
  payment_intent: intentId,
  amount: amount.amountMinor,
  [`metadata[${referenceKey}]`]: reference,
})
