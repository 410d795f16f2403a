/** Personal data of a beneficiary, sealed at rest. */
export interface BeneficiaryDetails {
  fname: string
  lname: string
  email: string | null
  phone_number: string | null
  momo_details: { provider: string; phone_number: string } | null
  bank_details: BankDetails | null
  loan_client_details: {
    loan_id?: string | undefined
    product?: string | undefined
    branch?: string | undefined
  } | null
}

export interface BankDetails {
  account_name?: string | undefined
  account_number?: string | undefined
  bank_name?: string | undefined
  bank_code?: string | undefined
  sort_code?: string | undefined
  iban?: string | undefined
  swift_code?: string | undefined
  country?: string | undefined
}

const shownDigits = 4

/** Enough to recognise, not enough to use. */
export const mask = (text: string): string =>
  text.length <= shownDigits
    ? '*'.repeat(text.length)
    : '*'.repeat(text.length - shownDigits) + text.slice(-shownDigits)

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
