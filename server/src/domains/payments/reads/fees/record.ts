import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { FeeDirection } from '../../../pricing/fees/record.ts'

/** The sums of completed payments in one period. */
export interface FeeSum {
  currency: string
  custody: Custody
  direction: FeeDirection
  method: string
  provider: string
  payments: number
  chargedMinor: bigint
  returnedMinor: bigint
}

/** What a provider charged for completed payments, in the currency in which it charges. */
export interface CostSum {
  currency: string
  direction: FeeDirection
  method: string
  provider: string
  payments: number
  costMinor: bigint
}
