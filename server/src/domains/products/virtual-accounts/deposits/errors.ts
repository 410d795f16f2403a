import { conflict, validationError, type AppError } from '../../../../lib/errors.ts'

export const alreadyResolved = (status: string): AppError => conflict(`The deposit was ${status} already.`)

export const noSuchAccount = (): AppError =>
  validationError('account_id: there is no such virtual account.', [
    { path: 'account_id', message: 'there is no such virtual account' },
  ])

export const cannotTake = (currency: string): AppError =>
  validationError(`account_id: the account is closed or not in ${currency}.`, [
    { path: 'account_id', message: `is closed or not in ${currency}` },
  ])
