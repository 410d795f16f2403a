import { AppError, conflict, validationError, type ErrorDetail } from '../../../lib/errors.ts'

export const notTheSender = (): AppError =>
  validationError('user_id: the payment was made by somebody else.', [
    { path: 'user_id', message: 'is not the user who made this payment' },
  ])

/** The notice names the transaction, so somebody who has no part in it must not get it. */
export const notOfTransaction = (target: 'sender' | 'beneficiary'): AppError =>
  validationError(`${target}_id: is not the ${target} of this transaction.`, [
    { path: `${target}_id`, message: `is not the ${target} of this transaction` },
  ])

export const nobodyNotified = (details: ErrorDetail[]): AppError =>
  new AppError('CONFLICT', 409, 'Nobody could be notified. The details give the reason for each target.', {
    details,
  })

export const notNotified = (reason: string): AppError => conflict(reason)
