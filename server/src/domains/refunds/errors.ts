import { conflict, validationError, type AppError } from '../../lib/errors.ts'

export const notRefundable = (why: string): AppError => conflict(why)

export const moreThanLeft = (): AppError =>
  validationError('amount: is more than what is left of the payment.', [
    { path: 'amount', message: 'is more than what is left of the payment' },
  ])

export const refundUnderWay = (): AppError =>
  conflict('A refund of this payment is under way. Wait for its outcome before you start another.')
