import { createCipheriv } from 'node:crypto'
import { wireAmount, type Money } from '../../lib/money/money.ts'
import type { Attempt, CollectDetails, Payee } from '../kit/connector.ts'
import { phoneDigits } from '../kit/phone.ts'
import type { FlutterwaveCredentials } from './credentials.ts'

/** Flutterwave takes amounts as numbers in the major unit. */
export const moneyFields = ({ amountMinor, currency }: Money) => ({
  amount: wireAmount(amountMinor, currency),
  currency,
})

const termsOf = ({ reference, amount }: Attempt, { payer, returnUrl }: CollectDetails) => ({
  tx_ref: reference,
  ...moneyFields(amount),
  email: payer.email,
  fullname: payer.name,
  phone_number: payer.phone,
  redirect_url: returnUrl,
})

/** Flutterwave requires 3DES (ECB) with the key of the dashboard. The card number is nowhere else. */
export function cardRequest(
  { publicKey, encryptionKey }: NonNullable<FlutterwaveCredentials['cardKeys']>,
  attempt: Attempt,
  details: CollectDetails,
): object {
  const { card } = details
  const payload = JSON.stringify({
    ...termsOf(attempt, details),
    card_number: card?.number,
    cvv: card?.cvv,
    expiry_month: card?.expiryMonth.padStart(2, '0'),
    expiry_year: card?.expiryYear.slice(-2),
  })
  const cipher = createCipheriv('des-ede3-ecb', encryptionKey, null)
  return { public_key: publicKey, client: cipher.update(payload, 'utf8', 'base64') + cipher.final('base64') }
}

export function hostedRequest(attempt: Attempt, details: CollectDetails): object {
  const { email, fullname: name, phone_number: phonenumber, ...terms } = termsOf(attempt, details)
  return { ...terms, payment_options: 'card', customer: { email, name, phonenumber } }
}

export const chargeRequest = (attempt: Attempt, details: CollectDetails): object => ({
  ...termsOf(attempt, details),
  ...(details.mobileMoney && {
    phone_number: phoneDigits(details.mobileMoney.phoneNumber, attempt.country),
    network: details.mobileMoney.network,
    country: attempt.country,
    order_id: attempt.reference,
  }),
})

export function transferRequest(
  { mobileMoney: markets, sender }: FlutterwaveCredentials,
  { amount, reference, country }: Attempt,
  { name, description, mobileMoney, bankAccount }: Payee,
): object {
  const wallet = mobileMoney && {
    account_bank: markets[country]?.networks[mobileMoney.network] ?? mobileMoney.network,
    account_number: phoneDigits(mobileMoney.phoneNumber, country),
  }
  return {
    ...moneyFields(amount),
    debit_currency: amount.currency,
    reference,
    narration: description ?? 'Payout',
    beneficiary_name: name || bankAccount?.accountName,
    account_bank: bankAccount?.bankCode,
    account_number: bankAccount?.accountNumber,
    destination_branch_code: bankAccount?.sortCode,
    ...wallet,
    meta: sender,
  }
}
