import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'
import { z } from 'zod'
import { isFiat } from '../../lib/money.ts'
import { pageLimit, type Page } from '../../lib/paging.ts'
import { countryCode, dateTime, ok, shortText, success, userId, uuid } from '../../lib/wire.ts'
import type { Beneficiary, NewBeneficiary } from './create-beneficiary.ts'
import { maskDetails } from './rules.ts'

const accountTypes = z.enum(['bank', 'mobile_money', 'wallet'])
const beneficiaryTypes = z.enum(['individual', 'business', 'loan_client'])
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })

const momoDetails = z.object({ provider: shortText, phone_number: z.string().min(6).max(20) })
const bankDetails = z.object({
  account_name: shortText.optional(),
  account_number: z.string().min(4).max(34).optional(),
  bank_name: shortText.optional(),
  bank_code: z.string().max(34).optional(),
  sort_code: z.string().max(8).optional(),
  iban: z.string().max(34).optional(),
  swift_code: z.string().max(11).optional(),
  country: countryCode.optional(),
})
const loanClientDetails = z.object({
  loan_id: shortText.optional(),
  product: shortText.optional(),
  branch: shortText.optional(),
})

export const createBeneficiaryBody = z
  .object({
    account_type: accountTypes,
    beneficiary_type: beneficiaryTypes.default('individual'),
    country: countryCode,
    currency,
    fname: shortText,
    lname: shortText,
    email: z.email().max(320).nullish(),
    phone_number: z.string().min(6).max(20).nullish(),
    momo_details: momoDetails.nullish(),
    bank_details: bankDetails.nullish(),
    loan_client_details: loanClientDetails.nullish(),
    external_account_id: z.string().max(255).nullish(),
    user_id: userId.optional(),
  })
  .superRefine((body, context) => {
    const need = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: path.split('.'), message })
    if (body.account_type === 'mobile_money' && !body.momo_details)
      need('momo_details', 'is required for mobile_money')
    if (body.account_type === 'bank' && !body.bank_details?.account_number && !body.bank_details?.iban)
      need('bank_details.account_number', 'or iban is required for bank')
    const phone = body.momo_details?.phone_number
    if (phone !== undefined && !isPossiblePhone(phone, body.country))
      need('momo_details.phone_number', 'must be a phone number of the country or start with +')
  })

export const isPossiblePhone = (text: string, country: string): boolean => toE164(text, country) !== undefined

/** With a plus, with the country's code but no plus, or as dialled inside the country. */
export function toE164(text: string, country: string): string | undefined {
  const code = country as CountryCode // an unknown country makes the number unparsable, which is the right answer
  const candidates = [
    parsePhoneNumberFromString(text, code),
    parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`),
  ]
  return (
    candidates.find((phone) => phone?.isPossible() && phone.country === country)?.number ??
    candidates.find((phone) => phone?.isPossible())?.number
  )
}

const beneficiary = z
  .object({
    beneficiary_id: uuid,
    account_type: accountTypes,
    beneficiary_of: z.string(),
    beneficiary_type: beneficiaryTypes,
    country: z.string(),
    currency: z.string(),
    fname: z.string(),
    lname: z.string(),
    email: z.string().nullable(),
    phone_number: z.string().nullable(),
    momo_details: momoDetails.nullable(),
    bank_details: bankDetails.nullable(),
    loan_client_details: loanClientDetails.nullable(),
    external_account_id: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Beneficiary' })

export const beneficiaryParams = z.object({ beneficiary_id: uuid })
export const beneficiaryResponse = success(beneficiary)
export const beneficiaryPage = success(z.array(beneficiary)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})
export const listBeneficiariesQuery = z.object({
  user_id: userId.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const toNewBeneficiary = (
  body: z.infer<typeof createBeneficiaryBody>,
  callerUserId: string,
): NewBeneficiary => ({
  beneficiaryOf: body.user_id ?? callerUserId,
  accountType: body.account_type,
  beneficiaryType: body.beneficiary_type,
  country: body.country,
  currency: body.currency,
  externalAccountId: body.external_account_id ?? null,
  details: {
    fname: body.fname,
    lname: body.lname,
    email: body.email ?? null,
    phone_number: body.phone_number ?? null,
    momo_details: body.momo_details ?? null,
    bank_details: body.bank_details ?? null,
    loan_client_details: body.loan_client_details ?? null,
  },
})

export const toBeneficiary = (row: Beneficiary): z.input<typeof beneficiary> => ({
  beneficiary_id: row.beneficiaryId,
  account_type: accountTypes.parse(row.accountType),
  beneficiary_of: row.beneficiaryOf,
  beneficiary_type: beneficiaryTypes.parse(row.beneficiaryType),
  country: row.country,
  currency: row.currency,
  ...row.details,
  external_account_id: row.externalAccountId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toBeneficiaryPage = (page: Page<Beneficiary>): z.input<typeof beneficiaryPage> => ({
  ...ok(
    'Beneficiaries, newest first.',
    page.items.map((row) => toBeneficiary({ ...row, details: maskDetails(row.details) })),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
