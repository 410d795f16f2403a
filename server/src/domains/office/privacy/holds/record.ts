import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'

export type HeldSubject = 'payment' | 'beneficiary' | 'organization'

/** A record that must be retained until the hold is lifted, or everything that the organisation has. */
export interface LegalHold {
  orgId: string
  holdId: string
  subject: HeldSubject
  subjectId: string
  reason: string
  placedBy: string
  placedAt: Date
  liftedBy: string | null
  liftedAt: Date | null
}

export interface HoldDeps {
  db: Database
  clock: Clock
  cursorKey: KeyRing
}
