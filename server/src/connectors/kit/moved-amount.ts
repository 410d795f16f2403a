import type { Money } from '../../lib/money/money.ts'

/** The paid amount. If the payer paid more to cover fees, it is the requested amount; less is reported as it is. */
export const movedAmount = (wanted: Money, reported: Money): Money =>
  reported.currency === wanted.currency && reported.amountMinor > wanted.amountMinor ? wanted : reported
