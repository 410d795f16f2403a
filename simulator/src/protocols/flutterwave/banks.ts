import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { behaviourFor } from '../../sentinels.ts'
import { handled, parseRequest, refused } from './envelope.ts'
import { resolveSchema } from './schema.ts'

type Entry = readonly [code: string, name: string]

const BANKS: Readonly<Record<string, readonly Entry[]>> = {
  NG: [
    ['044', 'Access Bank'],
    ['058', 'Guaranty Trust Bank'],
    ['011', 'First Bank of Nigeria'],
    ['033', 'United Bank For Africa'],
    ['057', 'Zenith Bank'],
  ],
  GH: [
    ['GH280100', 'Access Bank (Ghana)'],
    ['GH190100', 'Stanbic Bank Ghana'],
    ['GH130100', 'Ecobank Ghana'],
  ],
  KE: [
    ['01', 'Kenya Commercial Bank'],
    ['11', 'Cooperative Bank of Kenya'],
    ['68', 'Equity Bank'],
  ],
  UG: [
    ['UG010000', 'Stanbic Bank Uganda'],
    ['UG120000', 'Centenary Bank'],
  ],
  TZ: [
    ['TZ010000', 'CRDB Bank'],
    ['TZ030000', 'NMB Bank'],
  ],
  RW: [['RW010000', 'Bank of Kigali']],
  ZA: [
    ['ZA198765', 'Nedbank'],
    ['ZA250655', 'First National Bank'],
  ],
}

const MOBILE_MONEY: Readonly<Record<string, readonly string[]>> = {
  GHS: ['MTN', 'VODAFONE', 'AIRTELTIGO'],
  KES: ['MPS', 'MPX'],
  UGX: ['MTN', 'AIRTEL', 'MPS'],
  RWF: ['MTN', 'AIRTEL', 'MPS'],
  TZS: ['AIRTEL', 'HALOPESA', 'TIGO', 'VODACOM', 'MPS'],
  ZMW: ['MPS'],
  XAF: ['MTN', 'ORANGEMONEY', 'FMM'],
  XOF: ['MOOV', 'MTN', 'ORANGE', 'ORANGEMONEY', 'WAVE', 'FMM'],
}

const COUNTRY_OF: Readonly<Record<string, string>> = {
  NGN: 'NG',
  GHS: 'GH',
  KES: 'KE',
  UGX: 'UG',
  TZS: 'TZ',
  RWF: 'RW',
  ZAR: 'ZA',
}

/** Countries whose banks require a branch. */
const BRANCH_COUNTRIES = ['GH', 'UG', 'TZ', 'RW']

interface Destination {
  readonly name: string
  readonly kind: 'bank' | 'mobile_money'
  readonly wantsBranch: boolean
}

export function destinationOf(currency: string, code: string): Destination | undefined {
  if (MOBILE_MONEY[currency]?.includes(code)) return { name: code, kind: 'mobile_money', wantsBranch: false }
  const country = COUNTRY_OF[currency] ?? ''
  const bank = BANKS[country]?.find(([known]) => known === code)
  return bank && { name: bank[1], kind: 'bank', wantsBranch: BRANCH_COUNTRIES.includes(country) }
}

export function listBanks(call: Call): Answer {
  const banks = BANKS[call.params['country'] ?? '']
  if (banks === undefined) return refused(400, 'Country not supported')
  return handled(
    'Banks fetched successfully',
    banks.map(([code, name], index) => ({ id: index + 1, code, name })),
  )
}

/** Sentinel 26 is an account that the bank does not know. */
export function resolveAccount(call: Call): Answer {
  const parsed = parseRequest(resolveSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { account_number, account_bank } = parsed.input
  const isKnown = BANKS['NG']?.some(([code]) => code === account_bank) === true
  const isRefused = behaviourFor({ amount: '0', account: account_number }).decline === 'declined'
  if (!isKnown || account_number.length !== 10 || isRefused) {
    return refused(400, 'Sorry, recipient account could not be validated. Please try again')
  }
  return handled('Account details fetched', {
    account_number,
    account_name: `Ada Obi ${account_number.slice(-4)}`,
  })
}
