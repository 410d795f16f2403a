import type { Payee } from '../../../connectors/kit/connector.ts'
import type { RampDirection } from '../../../connectors/kit/ramp-details.ts'
import { validationError } from '../../../lib/errors.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import type { Beneficiary } from '../../parties/beneficiaries/record.ts'
import type { RampBody } from './schema.ts'

/** Where the fiat of a ramp is collected from, or where it is paid to. */
interface FiatAccounts {
  momo: { provider: string; phone_number: string } | undefined
  bankAccount: Payee['bankAccount']
}

/** An on-ramp collects from what the body names. An off-ramp pays the beneficiary, or the account in the body. */
export function chooseAccounts(
  direction: RampDirection,
  body: RampBody,
  beneficiary: Beneficiary | undefined,
): FiatAccounts {
  if (direction === 'off_ramp' && beneficiary) return registeredAccounts(body, beneficiary)
  return { momo: body.mobile_money_details ?? undefined, bankAccount: namedAccount(direction, body) }
}

function namedAccount(direction: RampDirection, body: RampBody): Payee['bankAccount'] {
  const { bank_details: bank, destination } = body
  const details = bank && {
    accountNumber: bank.account_number,
    bankCode: bank.bank_code,
    bankName: bank.bank_name,
  }
  const named = direction === 'off_ramp' ? (destination ?? details) : (details ?? destination)
  if (!named) return undefined
  return {
    accountName: body.beneficiary_name ?? undefined,
    accountNumber: named.accountNumber,
    bankCode: named.bankCode ?? undefined,
    bankName: named.bankName ?? undefined,
    country: body.country,
  }
}

/** Money goes only to the registered account, so a request that names another one is refused. */
function registeredAccounts(body: RampBody, beneficiary: Beneficiary): FiatAccounts {
  const { bank_details: bank, momo_details: momo } = beneficiary.details
  if (beneficiary.accountType === 'mobile_money' && momo) {
    assertSameNumber(body, { ...momo, country: beneficiary.country })
    return { momo, bankAccount: undefined }
  }
  if (beneficiary.accountType !== 'bank' || !bank)
    throw validationError('beneficiary_id: the beneficiary has no account to pay to.')
  if (body.mobile_money_details)
    throw validationError('mobile_money_details: the beneficiary has no mobile money number.')
  for (const named of [body.destination?.accountNumber, body.bank_details?.account_number])
    if (named !== undefined && named !== bank.account_number && named !== bank.iban)
      throw validationError('destination: is not the account of the beneficiary. Leave it out.')
  return {
    momo: undefined,
    bankAccount: {
      accountName: bank.account_name ?? `${beneficiary.details.fname} ${beneficiary.details.lname}`,
      accountNumber: bank.account_number,
      bankCode: bank.bank_code,
      bankName: bank.bank_name,
      sortCode: bank.sort_code,
      iban: bank.iban,
      swiftCode: bank.swift_code,
      country: bank.country ?? beneficiary.country,
    },
  }
}

function assertSameNumber(body: RampBody, registered: { phone_number: string; country: string }): void {
  const named = body.mobile_money_details?.phone_number
  const isSame = named === undefined || toE164(named, body.country) === numberOf(registered)
  if (!isSame)
    throw validationError('mobile_money_details.phone_number: is not the number of the beneficiary.')
  if (body.destination ?? body.bank_details)
    throw validationError('destination: the beneficiary has no bank account. Leave it out.')
}

const numberOf = ({ phone_number, country }: { phone_number: string; country: string }) =>
  toE164(phone_number, country)
