import { conflict, type AppError } from '../../../lib/errors.ts'

export const notInDoubt = (status: string): AppError =>
  conflict(
    `The payment is ${status} and not in doubt, so its provider decides. People may decide once the provider has not told the outcome within its normal time.`,
  )

export const nothingReturned = (status: string): AppError =>
  conflict(`Only a completed payout can be resolved as returned; this payment is ${status}.`)

export const refundNotInDoubt = (state: string): AppError =>
  conflict(
    `The refund is ${state} and not in doubt, so its provider decides. People may decide once the provider has not told the outcome within its normal time.`,
  )

export const changedSince = (): AppError =>
  conflict('The payment has changed since this was proposed. Propose it again if it is still in doubt.')
