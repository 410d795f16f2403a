import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

/** The problem with an account, in a message for the person who typed it; undefined when there is none. */
type Problem = string | undefined

export const ibanProblem = (text: string): Problem =>
  isValidIBAN(electronicFormatIBAN(text) ?? '')
    ? undefined
    : 'is not a valid IBAN: check its length and its two check digits'

export const bicProblem = (text: string): Problem =>
  isValidBIC(text.toUpperCase()) ? undefined : 'must be a SWIFT code of 8 or 11 characters'

export const sortCodeProblem = (text: string): Problem =>
  /^(?:\d{6}|\d{2}-\d{2}-\d{2})$/.test(text)
    ? undefined
    : 'must be six digits, with or without dashes: 12-34-56'

/** Old cheques still carry numbers of 6 or 7 digits; banks pad them with leading zeros. */
export const ukAccountNumberProblem = (text: string): Problem =>
  /^\d{6,8}$/.test(text) ? undefined : 'must be 8 digits (6 or 7 are padded with zeros)'

const nubanWeights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3]

/** Nigeria's uniform account number. Its last digit is a checksum of the serial and a three-digit bank code. */
export function nubanProblem(accountNumber: string, bankCode: string | undefined): Problem {
  if (!/^\d{10}$/.test(accountNumber)) return 'must be 10 digits (a NUBAN)'
  if (bankCode === undefined || !/^\d{3}$/.test(bankCode)) return undefined
  const digits = (bankCode + accountNumber.slice(0, 9)).split('').map(Number)
  const sum = digits.reduce((total, digit, index) => total + digit * (nubanWeights[index] ?? 0), 0)
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9])
    ? undefined
    : 'is not a number of this bank: its last digit does not check. Compare it and bank_code with the holder’s'
}
