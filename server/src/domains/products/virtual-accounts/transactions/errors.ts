import { isInactive } from '../../../../kernel/db/errors.ts'
import { isBelowZero } from '../../../../kernel/ledger/guarded.ts'
import { AppError, conflict, validationError } from '../../../../lib/errors.ts'

const insufficientFunds = (): AppError =>
  new AppError(
    'INSUFFICIENT_FUNDS',
    422,
    'The available balance is too low. See available_balance; held money cannot be spent.',
  )

export const notActive = (): AppError =>
  conflict('The account is frozen or closed, so it cannot be debited. Unfreeze it first.')

export const ofEscrow = (): AppError =>
  conflict(
    'The account belongs to an escrow. Its money moves by funding, disbursing and canceling the escrow.',
  )

export const sameAccount = (): AppError =>
  validationError('to_account_id: must be another account.', [
    { path: 'to_account_id', message: 'must be another account' },
  ])

/** The two amounts are in different custodies, and booking does not move money between them. */
export const otherCustody = (): AppError =>
  conflict(
    'The accounts are of different custody: one holds money with the installation, the other with your own provider, and a book transfer cannot move money between them. Pay it out instead.',
  )

export const noSuchTarget = (): AppError =>
  validationError('to_account_id: there is no such account.', [
    { path: 'to_account_id', message: 'there is no such account' },
  ])

export const otherCurrency = (path: string, currency: string): AppError =>
  validationError(`${path}: is in ${currency}; money moves in the account’s own currency.`, [
    { path, message: `is in ${currency}` },
  ])

/** Translates errors of the database's own checks into API errors. */
export function asRefusal(error: unknown): never {
  if (isBelowZero(error)) throw insufficientFunds()
  if (isInactive(error)) throw notActive()
  throw error
}
