import { rawNumber } from '../../lib/text/json.ts'
import type { Money } from '../../lib/money/money.ts'
import type { Attempt, CollectDetails, Payee, RefundRequest } from '../kit/connector.ts'
import { europeanOf } from '../kit/missing-details.ts'
import type { TruelayerCredentials } from './credentials.ts'

const bankReferenceCharacters = 18
const britishType = 'sort_code_account_number'

const moneyFields = ({ amountMinor, currency }: Money) => ({
  amount_in_minor: rawNumber(amountMinor.toString()),
  currency,
})

/** Our reference, cut to the length of a bank statement reference. */
const bankReference = (reference: string): string =>
  reference.replaceAll('-', '').slice(0, bankReferenceCharacters)

export const paymentRequest = (
  { amount, reference, country }: Attempt,
  { payer, returnUrl }: CollectDetails,
  merchantAccountId: string,
): object => ({
  ...moneyFields(amount),
  payment_method: {
    type: 'bank_transfer',
    provider_selection: { type: 'user_selected', filter: { countries: [country] } },
    beneficiary: { type: 'merchant_account', merchant_account_id: merchantAccountId },
  },
  user: { name: payer.name, email: payer.email, phone: payer.phone },
  hosted_page: { return_uri: returnUrl, country_code: country },
  metadata: { reference },
})

export function payoutRequest(
  { payoutScheme }: TruelayerCredentials,
  { amount, reference }: Attempt,
  { name, bankAccount }: Payee,
  merchantAccountId: string,
): object {
  const account = europeanOf(bankAccount ?? {})
  const account_identifier =
    'iban' in account
      ? { type: 'iban', iban: account.iban }
      : { type: britishType, sort_code: account.sortCode, account_number: account.accountNumber }
  return {
    merchant_account_id: merchantAccountId,
    ...moneyFields(amount),
    beneficiary: {
      type: 'external_account',
      account_holder_name: name || bankAccount?.accountName,
      reference: bankReference(reference),
      account_identifier,
    },
    scheme_selection: { type: payoutScheme },
    metadata: { reference },
  }
}

export const refundRequest = ({ amount, reference }: RefundRequest): object => ({
  amount_in_minor: moneyFields(amount).amount_in_minor,
  reference: bankReference(reference),
  metadata: { reference },
})
