import { conflict, validationError, type AppError } from '../../../lib/errors.ts'

export const noSuchAccount = (): AppError =>
  validationError('bank_details.account_number: the bank has no such account.', [
    { path: 'bank_details.account_number', message: 'the bank has no such account' },
  ])

export const inUse = (): AppError =>
  conflict('A payment to this beneficiary is still open. Delete it when the payment has ended.')

export const badAccount = (details: { path: string; message: string }[]): AppError =>
  validationError(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details)
