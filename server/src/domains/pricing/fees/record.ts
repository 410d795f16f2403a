import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'

/** The operator's price for a kind of payment. It never changes: new terms are a new schedule. */
export interface FeeSchedule {
  /** Null: it applies to every organisation. */
  orgId: string | null
  scheduleId: string
  label: string
  /** A null condition matches everything. */
  direction: FeeDirection | null
  method: PaymentMethod | null
  country: string | null
  currency: string | null
  /** Millionths of the amount: 15000 is 1.5 percent. */
  rateMillionths: number
  /** In minor units of the currency, which is not null then. */
  fixedMinor: bigint
  minimumMinor: bigint
  maximumMinor: bigint | null
  /** A payment that is refunded in full gets its fee back. */
  isReturned: boolean
  createdAt: Date
  retiredAt: Date | null
}

export type NewSchedule = Omit<FeeSchedule, 'scheduleId' | 'createdAt' | 'retiredAt'>

export type FeeDirection = 'inbound' | 'outbound'

/** What a schedule is chosen by. The amount is what an organisation receives by a payin or spends on a payout. */
export interface Chargeable {
  direction: FeeDirection
  method: PaymentMethod
  country: string
  amount: Money
}

/** The fee of one payment, decided when it is initiated. */
export interface Fee extends Money {
  scheduleId: string
  isReturned: boolean
}

/** Cached briefly in each process; a change made in this process takes effect at once. */
export interface FeeScheduleSource {
  list(orgId: string): Promise<FeeSchedule[]>
  invalidate(): void
}

export interface FeeDeps {
  db: Database
  clock: Clock
  changeControl: ChangeControl
  feeSchedules: FeeScheduleSource
}
