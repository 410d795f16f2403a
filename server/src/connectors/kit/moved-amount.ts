import type { Money } from '../../lib/money/money.ts'

/** The paid amount. If the payer paid more to cover fees, it is the requested amount; less is reported as it is. */
export const movedAmount = (wanted: Money, told: Money): Money =>
  told.currency === wanted.currency && told.amountMinor > wanted.amountMinor ? wanted : told
