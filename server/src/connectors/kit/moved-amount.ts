import type { Money } from '../../lib/money.ts'

/** What was paid. More than was asked for, where the payer bears fees, is all of it; less is told as it is. */
export const movedAmount = (wanted: Money, told: Money): Money =>
  told.currency === wanted.currency && told.amountMinor > wanted.amountMinor ? wanted : told
