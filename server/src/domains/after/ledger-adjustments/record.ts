import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'

export interface NewAdjustment {
  /** The account that loses the amount, and the one that gets it, as the ledger names them. */
  debit: string
  credit: string
  currency: string
  amountMinor: bigint
  reason: string
  paymentId: string | null
  exceptionId: string | null
}

/** A correction of the ledger that two people made. It is never changed. */
export interface Adjustment extends Omit<NewAdjustment, 'exceptionId'> {
  adjustmentId: string
  orgId: string
  proposedBy: string
  approvedBy: string
  createdAt: Date
}

export interface AdjustmentDeps {
  db: Database
  clock: Clock
  cursorKey: KeyRing
  changeControl: ChangeControl
}
