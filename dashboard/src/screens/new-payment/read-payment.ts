import type { Beneficiary, PaymentsInitiateBody } from '@switchyard/sdk'
import type { ReadField } from '../../ui/read-form.ts'

export type Method = PaymentsInitiateBody['payment_method']

/** A payment as entered, before its rate is locked. */
export type PaymentDraft = Omit<PaymentsInitiateBody, 'amount' | 'target_amount' | 'org_rate_id'> & {
  amount: string
}

/** Leaves out empty fields, because the API refuses empty strings. */
function filled<Name extends string>(
  field: ReadField,
  names: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const entries = Object.entries<string>(names).map(([name, fieldName]) => [name, field(fieldName)])
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Partial<Record<Name, string>> // the names are those of the argument
}

const notesOf = (field: ReadField): Partial<Record<'client_reference' | 'description', string>> =>
  filled(field, { client_reference: 'client_reference', description: 'description' })

export function readPayin(field: ReadField, method: Method): PaymentDraft {
  const currency = field('currency').toUpperCase()
  const country = field('country').toUpperCase()
  return {
    direction: 'payin',
    payment_method: method,
    amount: field('amount'),
    currency,
    target_currency: field('target_currency').toUpperCase() || currency,
    country,
    payer_details: filled(field, {
      name: 'payer_details.name',
      email: 'payer_details.email',
      phone: 'payer_details.phone',
    }),
    ...accountOf(field, method, country),
    ...notesOf(field),
  }
}

function accountOf(field: ReadField, method: Method, country: string): Partial<PaymentDraft> {
  if (method === 'mobile_money')
    return {
      mobile_money_details: {
        provider: field('mobile_money_details.provider'),
        phone_number: field('mobile_money_details.phone_number'),
      },
    }
  if (method === 'card') return {}
  const account = {
    account_number: field('bank_account.account_number'),
    ...filled(field, { bank_code: 'bank_account.bank_code', bank_name: 'bank_account.bank_name' }),
  }
  return {
    bank_account: account,
    bank_details: { ...account, ...filled(field, { account_name: 'bank_details.account_name' }), country },
  }
}

/** A payout goes to the beneficiary's registered account, so the form asks for nothing else about it. */
export const readPayout = (field: ReadField, beneficiary: Beneficiary): PaymentDraft => ({
  direction: 'payout',
  payment_method: beneficiary.account_type === 'mobile_money' ? 'mobile_money' : 'bank_transfer',
  amount: field('amount'),
  currency: field('currency').toUpperCase() || beneficiary.currency,
  target_currency: beneficiary.currency,
  country: beneficiary.country,
  beneficiary_id: beneficiary.beneficiary_id,
  ...notesOf(field),
})
