import { AppError, conflict, validationError, type ErrorDetail } from '../../lib/errors.ts'

export const notTheSender = (): AppError =>
  validationError('user_id: the payment was made by somebody else.', [
    { path: 'user_id', message: 'is not the user who made this payment' },
  ])

export const nobodyNotified = (details: ErrorDetail[]): AppError =>
  new AppError('CONFLICT', 409, 'Nobody could be notified. The details give the reason for each target.', {
    details,
  })

export const notNotified = (reason: string): AppError => conflict(reason)
