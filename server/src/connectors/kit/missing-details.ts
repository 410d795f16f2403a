import type { Attempt, BankAccount, CollectDetails, Payee } from './connector.ts'

/** A payout in Europe needs an IBAN, or in Britain a sort code and an account number. */
export function missingEuropean(country: string, account: BankAccount | undefined): string[] {
  const { iban, sortCode, accountNumber } = account ?? {}
  if (iban) return []
  if (country !== 'GB') return ['bank_account.iban']
  const needed = { 'bank_account.sort_code': sortCode, 'bank_account.account_number': accountNumber }
  return Object.entries(needed).flatMap(([field, value]) => (value ? [] : [field]))
}

/** The account in its wire format, without spaces and dashes. */
export const europeanOf = ({ iban, sortCode, accountNumber }: BankAccount) =>
  iban
    ? { iban: iban.replaceAll(/\s/g, '').toUpperCase() }
    : { accountNumber, sortCode: sortCode?.replaceAll(/\D/g, '') }

/** Most providers need the payer's e-mail address, and a network and phone number or a bank account. */
export function missingDetails(
  { method, country }: Attempt,
  details: CollectDetails | Payee,
  /** The countries in which the bank's branch is needed too. */
  branchCountries: readonly string[] = [],
): string[] {
  const needed: [string, string | undefined][] = []
  if ('payer' in details) needed.push(['payer_details.email', details.payer.email])
  if (method === 'mobile_money') {
    needed.push(['mobile_money_details.provider', details.mobileMoney?.network])
    needed.push(['mobile_money_details.phone_number', details.mobileMoney?.phoneNumber])
  } else if (!('payer' in details)) {
    needed.push(['bank_account.account_number', details.bankAccount?.accountNumber])
    needed.push(['bank_account.bank_code', details.bankAccount?.bankCode])
    if (branchCountries.includes(country))
      needed.push(['bank_account.sort_code', details.bankAccount?.sortCode])
  }
  return needed.filter(([, value]) => !value).map(([field]) => field)
}
