import type { RampsInitiateBody } from '@switchyard/sdk'
import type { ReadField } from '../../ui/read-form.ts'

export type RampDirection = 'on_ramp' | 'off_ramp'
export type CollectBy = 'mobile_money' | 'bank_transfer'

/** A ramp as entered, before its rate is known. */
export type RampDraft = Omit<RampsInitiateBody, 'client_rate' | 'fiat_amount' | 'direction'> & {
  direction: RampDirection
  fiat_amount: string
}

interface Choices {
  direction: RampDirection
  collectBy: CollectBy
  isBusiness: boolean
}

export function readRamp(field: ReadField, { direction, collectBy, isBusiness }: Choices): RampDraft {
  const reference = field('client_reference')
  return {
    direction,
    fiat_currency: field('fiat_currency').toUpperCase(),
    fiat_amount: field('fiat_amount'),
    crypto_currency: field('crypto_currency'),
    crypto_network: field('crypto_network'),
    country: field('country').toUpperCase(),
    customer_type: isBusiness ? 'business' : 'retail',
    ...(isBusiness && { business_id: field('business_id'), business_name: field('business_name') }),
    ...(direction === 'on_ramp'
      ? { wallet_address: field('wallet_address'), ...collectedFrom(field, collectBy) }
      : { beneficiary_id: field('beneficiary_id') }),
    ...(reference !== '' && { client_reference: reference }),
  }
}

function collectedFrom(field: ReadField, collectBy: CollectBy): Partial<RampDraft> {
  if (collectBy === 'mobile_money')
    return {
      mobile_money_details: {
        provider: field('mobile_money_details.provider'),
        phone_number: field('mobile_money_details.phone_number'),
      },
    }
  const accountNumber = field('bank_account.account_number')
  if (accountNumber === '') return {}
  const [bankCode, bankName] = [field('bank_account.bank_code'), field('bank_account.bank_name')]
  return {
    bank_details: {
      account_number: accountNumber,
      ...(bankCode !== '' && { bank_code: bankCode }),
      ...(bankName !== '' && { bank_name: bankName }),
    },
    ...(field('bank_details.account_name') !== '' && {
      beneficiary_name: field('bank_details.account_name'),
    }),
  }
}
