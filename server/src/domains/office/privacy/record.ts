import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'
import type { RetentionDays } from './retention/record.ts'
import type { SearchDeps } from '../../payments/reads/search/record.ts'

export const erasureSubjects = ['email', 'phone', 'payment', 'beneficiary'] as const
type ErasureSubject = (typeof erasureSubjects)[number]

/** What the end of a retention period erases has no person who was named. */
export const shownSubjects = [...erasureSubjects, 'retention'] as const

export const erasureStatuses = ['pending', 'done', 'refused'] as const

/** The records that are about the person. */
export interface PersonRecords {
  paymentIds: string[]
  beneficiaryIds: string[]
}

/** A request to erase a person. It names records and never the person. */
export interface Erasure extends PersonRecords {
  orgId: string
  erasureId: string
  /** By what the person was named. */
  subject: (typeof shownSubjects)[number]
  reason: string
  status: (typeof erasureStatuses)[number]
  requestedBy: string
  approvedBy: string | null
  refusal: string | null
  createdAt: Date
  endedAt: Date | null
}

export type ErasureIds = Pick<Erasure, 'orgId' | 'erasureId'>

export interface ErasureOrder {
  subject: ErasureSubject
  /** The address, the number or the id. */
  value: string
  reason: string
}

export interface ErasureDeps extends SearchDeps {
  db: Database
  clock: Clock
  changeControl: ChangeControl
  retention: Pick<RetentionDays, 'screening'>
}
