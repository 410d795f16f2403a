import { AppError, conflict, validationError } from '../../../lib/errors.ts'

export const noSuchAccount = (): AppError =>
  validationError('bank_details.account_number: the bank has no such account.', [
    { path: 'bank_details.account_number', message: 'the bank has no such account' },
  ])

/** The beneficiary can still be written without the check. */
export const nameChecksUsedUp = (perDay: number, endsInMs: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    429,
    `Your organisation has looked up ${perDay} account holders within a day, which is its limit. Nothing was written. Leave out verify_name, try again later, or ask the operator for more.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1000)) },
  )

export const inUse = (): AppError =>
  conflict('A payment to this beneficiary is still open. Delete it when the payment has ended.')

export const badAccount = (details: { path: string; message: string }[]): AppError =>
  validationError(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details)
