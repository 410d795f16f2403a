import { checkModulus, type ModulusTables } from './check-modulus.ts'

export interface BankValidationDeps {
  /** Undefined where the operator has supplied none. */
  modulusTables: ModulusTables | undefined
}

interface UkAccount {
  sortCode: string
  accountNumber: string
}

interface UkAccountVerdict extends UkAccount {
  isValid: boolean
  message: string
}

const digits = 8

/** Checks the format, and the modulus if asked for. It does not check whether the account exists. */
export function validateUkAccount(
  deps: BankValidationDeps,
  input: UkAccount & { withModulus: boolean },
): UkAccountVerdict {
  const { sortCode, accountNumber: given } = input
  const problems = [sortCodeProblem(sortCode), accountNumberProblem(given)].filter((one) => one !== undefined)
  if (problems.length > 0)
    return { sortCode, accountNumber: given, isValid: false, message: problems.join(' ') }
  const accountNumber = given.padStart(digits, '0')
  const padded =
    accountNumber === given ? '' : ` The account number was padded with zeros to ${accountNumber}.`
  const account = { sortCode, accountNumber }
  if (!input.withModulus) return { ...account, isValid: true, message: `The format is valid.${padded}` }
  const { isValid, message } = modulusVerdict(deps, account)
  return { ...account, isValid, message: message + padded }
}

function sortCodeProblem(sortCode: string): string | undefined {
  if (/^\d{2}-\d{2}-\d{2}$/.test(sortCode)) return undefined
  if (/^\d{6}$/.test(sortCode))
    return `sortCode must have dashes: ${sortCode.replaceAll(/\d{2}(?=\d)/g, '$&-')} instead of ${sortCode}.`
  return 'sortCode must be three pairs of digits with dashes between them, such as 12-34-56.'
}

function accountNumberProblem(accountNumber: string): string | undefined {
  if (!/^\d+$/.test(accountNumber)) return 'accountNumber must be digits only.'
  if (accountNumber.length >= digits - 2 && accountNumber.length <= digits) return undefined
  return `accountNumber must have ${digits} digits (6 or 7 are padded with zeros); it has ${accountNumber.length}.`
}

function modulusVerdict(
  { modulusTables }: BankValidationDeps,
  { sortCode, accountNumber }: UkAccount,
): { isValid: boolean; message: string } {
  if (!modulusTables)
    return {
      isValid: true,
      message: 'The format is valid. The modulus was not checked: this installation has no weight table.',
    }
  switch (checkModulus(modulusTables, sortCode.replaceAll('-', ''), accountNumber)) {
    case 'valid':
      return { isValid: true, message: 'The format is valid and the modulus checks.' }
    case 'invalid':
      return {
        isValid: false,
        message: 'accountNumber cannot belong to sortCode: the modulus does not check.',
      }
    case 'not_covered':
      return {
        isValid: true,
        message: 'The format is valid. No modulus is defined for this sort code, so it is presumed right.',
      }
  }
}
