import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'

export const suspensionKinds = ['organization', 'member', 'api_key', 'provider_account', 'payouts'] as const
export type SuspensionKind = (typeof suspensionKinds)[number]

/** Something that an operator has stopped, until it is lifted. */
export interface Suspension {
  /** The organisation that it concerns; the installation's own for all payouts and for its accounts. */
  orgId: string
  suspensionId: string
  kind: SuspensionKind
  /** The organisation, the member's user id, the key or the account. */
  subjectId: string
  /** The person whom it stops: the member, or the owner of the key. */
  userId: string | null
  reason: string
  suspendedBy: string
  suspendedAt: Date
  liftReason: string | null
  liftedBy: string | null
  liftedAt: Date | null
}

/** What is to be suspended, as the operator names it. */
export interface SuspensionTarget {
  kind: SuspensionKind
  /** Of a member or a key. */
  orgId: string | undefined
  subjectId: string | undefined
}

export type SuspendedSubject = Pick<Suspension, 'orgId' | 'kind' | 'subjectId' | 'userId'>

export interface SuspensionDeps {
  db: Database
  clock: Clock
  cursorKey: KeyRing
  changeControl: ChangeControl
  corridors: { invalidate(): void }
}
