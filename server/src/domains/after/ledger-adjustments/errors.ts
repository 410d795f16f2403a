import { shortfallOf } from '../../../kernel/ledger/available.ts'
import { AppError, validationError } from '../../../lib/errors.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'

export const cannotAdjust = (path: 'debit' | 'credit'): AppError => {
  const message =
    'must be available, available:own, fees, opening or provider:{name}:{account_id} of your organisation or the installation. Holds, suspense, ramps and virtual accounts have calls of their own'
  return validationError(`${path}: ${message}.`, [{ path, message }])
}

export const otherCustody = (): AppError => {
  const message = 'lies elsewhere than debit: pooled money stays pooled, and own money stays own'
  return validationError(`credit: ${message}.`, [{ path: 'credit', message }])
}

/** The refusal of a debit that the balance does not cover; any other error is returned as it is. */
export function asNotCovered(error: unknown, { amountMinor, currency }: Money): unknown {
  const shortfall = shortfallOf(error)
  if (!shortfall) return error
  const missingMinor = -(shortfall.remainingMinor + shortfall.creditLimitMinor)
  const format = (minor: bigint): string => `${formatMinor(minor, currency)} ${currency}`
  return new AppError(
    'INSUFFICIENT_FUNDS',
    422,
    `The pooled balance does not cover ${format(amountMinor)}: ${format(missingMinor)} is missing. Nothing was posted.`,
    { cause: error },
  )
}
