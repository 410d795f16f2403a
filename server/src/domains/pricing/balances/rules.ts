import { formatMinor } from '../../../lib/money/money.ts'
import type { CreditLimit } from './record.ts'

/** A currency without a limit has one of zero. */
export const isRaised = (before: readonly CreditLimit[], after: readonly CreditLimit[]): boolean =>
  after.some(({ currency, limitMinor }) => {
    const known = before.find((limit) => limit.currency === currency)
    return limitMinor > (known?.limitMinor ?? 0n)
  })

export const describeLimits = (limits: readonly CreditLimit[]): string =>
  limits.map(({ currency, limitMinor }) => `${formatMinor(limitMinor, currency)} ${currency}`).join(', ') ||
  'none'
