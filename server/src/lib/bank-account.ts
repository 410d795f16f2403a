import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

/** What is wrong with an account, in words for whoever typed it; undefined when nothing is. */
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

/** Numbers of 6 or 7 digits are still printed on old cheques; banks write zeros before them. */
export const ukAccountNumberProblem = (text: string): Problem =>
  /^\d{6,8}$/.test(text) ? undefined : 'must be 8 digits (6 or 7 are padded with zeros)'

const nubanWeights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3]

/** Nigeria's uniform account number: bank code and serial give its last digit. Only deposit banks have three digits. */
export function nubanProblem(accountNumber: string, bankCode: string | undefined): Problem {
  if (!/^\d{10}$/.test(accountNumber)) return 'must be 10 digits (a NUBAN)'
  if (bankCode === undefined || !/^\d{3}$/.test(bankCode)) return undefined
  const digits = (bankCode + accountNumber.slice(0, 9)).split('').map(Number)
  const sum = digits.reduce((total, digit, index) => total + digit * (nubanWeights[index] ?? 0), 0)
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9])
    ? undefined
    : 'is not a number of this bank: its last digit does not check. Compare it and bank_code with the holder’s'
}
