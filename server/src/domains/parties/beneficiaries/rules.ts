import { isDeepStrictEqual } from 'node:util'
import {
  bicProblem,
  ibanProblem,
  nubanProblem,
  sortCodeProblem,
  ukAccountNumberProblem,
} from '../../../lib/instruments/bank-account.ts'
import type { ErrorDetail } from '../../../lib/errors.ts'
import { mask } from '../../../lib/text/masking.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import { listIdentifiers } from '../../compliance/sanctions/matches/list-identifiers.ts'
import type { Parties } from '../../compliance/sanctions/matches/record.ts'
import type { BankDetails, Beneficiary, BeneficiaryDetails, NameMatch } from './record.ts'

export const maskDetails = (details: BeneficiaryDetails): BeneficiaryDetails => ({
  ...details,
  phone_number: details.phone_number && mask(details.phone_number),
  momo_details: details.momo_details && {
    ...details.momo_details,
    phone_number: mask(details.momo_details.phone_number),
  },
  bank_details: details.bank_details && {
    ...details.bank_details,
    ...(details.bank_details.account_number !== undefined && {
      account_number: mask(details.bank_details.account_number),
    }),
    ...(details.bank_details.iban !== undefined && { iban: mask(details.bank_details.iban) }),
  },
})

interface PayableAccount {
  account_type: string
  country: string
  phone_number?: string | null | undefined
  momo_details?: BeneficiaryDetails['momo_details'] | undefined
  bank_details?: BankDetails | null | undefined
}

/** Problems that would prevent a payment, as far as they show without asking a provider. */
export function accountProblems(account: PayableAccount): ErrorDetail[] {
  const { account_type: type, country, bank_details: bank, momo_details: momo } = account
  const found: [string, string | undefined][] = [
    ['phone_number', phoneProblem(account.phone_number, country)],
    ['momo_details.phone_number', phoneProblem(momo?.phone_number, country)],
    ...(bank ? bankProblems(bank, bank.country ?? country) : []),
  ]
  if (type === 'mobile_money' && !momo) found.push(['momo_details', 'is required for mobile_money'])
  if (type === 'bank' && !bank?.account_number && !bank?.iban)
    found.push(['bank_details.account_number', 'or iban is required for bank'])
  return found.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))
}

const phoneProblem = (text: string | null | undefined, country: string): string | undefined =>
  !text || toE164(text, country) !== undefined
    ? undefined
    : 'must be a phone number of the country or start with +'

function bankProblems(bank: BankDetails, country: string): [string, string | undefined][] {
  const { account_number: number, sort_code: sortCode, iban, swift_code: swift } = bank
  return [
    ['bank_details.iban', iban === undefined ? undefined : ibanProblem(iban)],
    ['bank_details.swift_code', swift === undefined ? undefined : bicProblem(swift)],
    ['bank_details.sort_code', sortCode === undefined ? undefined : sortCodeProblem(sortCode)],
    ['bank_details.account_number', number === undefined ? undefined : numberProblem(number, bank, country)],
  ]
}

function numberProblem(number: string, bank: BankDetails, country: string): string | undefined {
  if (country === 'NG') return nubanProblem(number, bank.bank_code)
  if (country === 'GB') return ukAccountNumberProblem(number)
  return /^[A-Za-z0-9 -]+$/.test(number) ? undefined : 'must be letters and digits'
}

/** Whether a payout would go to another account than before. */
export function hasOtherAccount(before: Beneficiary, after: Beneficiary): boolean {
  const accountOf = ({ accountType, country, currency, details }: Beneficiary): unknown[] => [
    accountType,
    country,
    currency,
    details.momo_details,
    details.bank_details,
  ]
  return !isDeepStrictEqual(accountOf(before), accountOf(after))
}

/** Banks return names in capitals, without accents, in any order and with additional names. */
export function compareNames(given: string, held: string): NameMatch {
  const wanted = wordsOf(given)
  const found = wanted.filter((word) => wordsOf(held).includes(word))
  if (found.length === 0) return 'mismatched'
  return found.length === wanted.length ? 'matched' : 'partial'
}

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The names under which the beneficiary is known here and, where it was asked, at the bank; and where they are paid. */
export function partiesOf(
  { beneficiaryId, country, details }: Pick<Beneficiary, 'beneficiaryId' | 'country' | 'details'>,
  nameAtBank?: string | null,
): Parties {
  const { bank_details: bank, momo_details: momo } = details
  const names = new Set([`${details.fname} ${details.lname}`, bank?.account_name, nameAtBank])
  return {
    subjects: [...names].flatMap((name) =>
      name ? [{ kind: 'beneficiary' as const, subjectId: beneficiaryId, person: { name, country } }] : [],
    ),
    identifiers: listIdentifiers({
      country,
      accounts: [
        bank && {
          accountNumber: bank.account_number,
          bankCode: bank.bank_code,
          sortCode: bank.sort_code,
          swiftCode: bank.swift_code,
          iban: bank.iban,
          country: bank.country,
        },
      ],
      phones: [details.phone_number, momo?.phone_number],
      emails: [details.email],
    }),
  }
}
