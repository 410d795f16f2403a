import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { behaviourFor } from '../../sentinels.ts'
import { BANKS, type Bank } from './bank-list.ts'
import { handled, refused } from './envelope.ts'

const LISTED_SINCE = '2018-03-29T12:54:59.000Z'
/** The filter is spelt differently from the type in the answer. */
const TYPE_ALIASES: Readonly<Record<string, string>> = { ghipps: 'ghipss' }

export function listBanks(call: Call): Answer {
  const { country, currency, type } = call.query
  const wantedType = type === undefined ? undefined : (TYPE_ALIASES[type] ?? type)
  const found = BANKS.filter(
    (bank) =>
      (country === undefined || bank.country.toLowerCase() === country.toLowerCase()) &&
      (currency === undefined || bank.currency === currency) &&
      (wantedType === undefined || bank.type === wantedType),
  )
  return handled('Banks retrieved', found.map(presentBank))
}

/** An account that ends in 26 does not exist. */
export function resolveAccount(call: Call): Answer {
  const { account_number: accountNumber = '', bank_code: bankCode = '' } = call.query
  const bank = BANKS.find((candidate) => candidate.code === bankCode)
  const isRefused = behaviourFor({ amount: '0', account: accountNumber }).decline === 'declined'
  if (bank === undefined || isRefused || !/^\d{4,20}$/.test(accountNumber)) {
    return refused(422, {
      message: 'Could not resolve account name. Check parameters or try again.',
      code: 'invalid_bank_code',
    })
  }
  return handled('Account number resolved', {
    account_number: accountNumber,
    account_name: `SANDBOX HOLDER ${accountNumber.slice(-4)}`,
    bank_id: bank.id,
  })
}

function presentBank(bank: Bank) {
  return {
    ...bank,
    longcode: '',
    gateway: null,
    pay_with_bank: false,
    supports_transfer: true,
    available_for_direct_debit: false,
    active: true,
    is_deleted: false,
    createdAt: LISTED_SINCE,
    updatedAt: LISTED_SINCE,
  }
}
