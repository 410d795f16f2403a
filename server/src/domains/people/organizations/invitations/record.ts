import type { Database } from '../../../../kernel/db/database.ts'
import type { Role } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Links } from '../../../../lib/net/links.ts'
import type { ChangeControl } from '../../change-requests/record.ts'

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired'

export interface Invitation {
  orgId: string
  invitationId: string
  email: string
  role: Role
  status: InvitationStatus
  invitedBy: string
  acceptedBy: string | null
  /** The second person, where one was needed. */
  approvedBy: string | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export interface InvitationDeps {
  db: Database
  clock: Clock
  links: Links
  changeControl: ChangeControl
}
