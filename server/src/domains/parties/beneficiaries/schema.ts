import { z } from 'zod'
import type { Caller } from '../../../lib/requests/access.ts'
import { isFiat } from '../../../lib/money/money.ts'
import { objectOf, textOf } from '../../../lib/text/no-value.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import {
  countryCode,
  dateTime,
  ok,
  plainName,
  shortText,
  success,
  userId,
  uuid,
} from '../../../lib/requests/wire.ts'
import type { Beneficiary, NewBeneficiary, BeneficiaryChange, NameCheck } from './record.ts'
import { accountProblems, maskDetails } from './rules.ts'

const accountTypes = z.enum(['bank', 'mobile_money', 'wallet'])
const beneficiaryTypes = z.enum(['individual', 'business', 'loan_client'])
const currency = z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' })

const phone = z.string().min(6).max(20).meta({ example: '+2348031234567' })
const momoDetails = z.object({ provider: shortText, phone_number: phone })
const bankDetails = z.object({
  account_name: shortText.optional(),
  account_number: z.string().min(4).max(34).meta({ example: '0690000049' }).optional(),
  bank_name: shortText.optional(),
  bank_code: z.string().max(34).meta({ example: '044' }).optional(),
  sort_code: z.string().max(8).meta({ example: '12-34-56' }).optional(),
  iban: z.string().max(42).meta({ example: 'GB33BUKB20201555555555' }).optional(),
  swift_code: z.string().max(11).meta({ example: 'BUKBGB22' }).optional(),
  country: countryCode.optional(),
})
const loanClientDetails = z.object({
  loan_id: shortText.optional(),
  product: shortText.optional(),
  branch: shortText.optional(),
})

const fields = z.object({
  account_type: accountTypes,
  beneficiary_type: beneficiaryTypes,
  country: countryCode,
  currency,
  fname: plainName,
  lname: plainName,
  email: z.email().max(320).nullish(),
  phone_number: phone.nullish(),
  momo_details: momoDetails.nullish(),
  bank_details: bankDetails.nullish(),
  loan_client_details: loanClientDetails.nullish(),
  external_account_id: z.string().max(255).nullish(),
})

export const createBeneficiaryBody = fields
  .extend({ beneficiary_type: beneficiaryTypes.default('individual'), user_id: userId.optional() })
  .superRefine((body, context) => {
    for (const { path, message } of accountProblems(body))
      context.addIssue({ code: 'custom', path: path.split('.'), message })
  })

/** Nested objects are replaced as a whole; null removes an optional field. */
export const updateBeneficiaryBody = fields.partial()

export const nameCheckQuery = z.object({
  verify_name: z.stringbool().default(false).meta({
    type: 'boolean',
    description:
      'Look up the account holder at a provider that can, and return `name_check`. The operator limits how many an organisation looks up within a day; beyond that it is a 429.',
  }),
})

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
    email: z.string(),
    phone_number: z.string(),
    momo_details: momoDetails.partial(),
    bank_details: bankDetails,
    loan_client_details: loanClientDetails,
    external_account_id: z.string(),
    name_check: z
      .object({
        status: z.enum(['matched', 'partial', 'mismatched', 'unavailable']),
        account_name: z.string().nullable(),
        provider: z.string().nullable(),
      })
      .optional()
      .meta({ description: 'The account holder according to the bank; only if requested.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Beneficiary' })

export const beneficiaryParams = z.object({ beneficiary_id: uuid })
export const beneficiaryResponse = success(beneficiary)
export const nothing = z.null().meta({ description: 'No content.' })
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

export const toBeneficiary = (
  row: Beneficiary & { nameCheck?: NameCheck | undefined },
): z.input<typeof beneficiary> => ({
  beneficiary_id: row.beneficiaryId,
  account_type: accountTypes.parse(row.accountType),
  beneficiary_of: row.beneficiaryOf,
  beneficiary_type: beneficiaryTypes.parse(row.beneficiaryType),
  country: row.country,
  currency: row.currency,
  fname: row.details.fname,
  lname: row.details.lname,
  email: textOf(row.details.email),
  phone_number: textOf(row.details.phone_number),
  momo_details: objectOf(row.details.momo_details),
  bank_details: objectOf(row.details.bank_details),
  loan_client_details: objectOf(row.details.loan_client_details),
  external_account_id: textOf(row.externalAccountId),
  ...(row.nameCheck && {
    name_check: {
      status: row.nameCheck.status,
      account_name: row.nameCheck.accountName,
      provider: row.nameCheck.provider,
    },
  }),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Masks account and phone numbers unless the caller may see them in full. */
export const toVisible = (caller: Caller, row: Beneficiary): z.input<typeof beneficiary> =>
  toBeneficiary(
    caller.permissions.has('personal-data:read') ? row : { ...row, details: maskDetails(row.details) },
  )

export const toBeneficiaryChange = (body: z.infer<typeof updateBeneficiaryBody>): BeneficiaryChange => {
  const {
    account_type,
    beneficiary_type,
    country,
    currency: inCurrency,
    external_account_id,
    ...details
  } = body
  return {
    ...(account_type !== undefined && { accountType: account_type }),
    ...(beneficiary_type !== undefined && { beneficiaryType: beneficiary_type }),
    ...(country !== undefined && { country }),
    ...(inCurrency !== undefined && { currency: inCurrency }),
    ...(external_account_id !== undefined && { externalAccountId: external_account_id }),
    details: Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)),
  }
}

export const toBeneficiaryPage = (page: Page<Beneficiary>): z.input<typeof beneficiaryPage> => ({
  ...ok(
    'Beneficiaries, newest first.',
    page.items.map((row) => toBeneficiary({ ...row, details: maskDetails(row.details) })),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
