import type { Database } from '../../../kernel/db/database.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

/** One request of a member. It holds no body, no query and no value of a path. */
export interface RequestEntry {
  orgId: string
  entryId: string
  method: string
  route: string
  status: number
  code: string | null
  durationUs: number
  requestId: string
  userId: string
  credential: string
  apiKeyId: string | null
  createdAt: Date
}

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const
type StatusClass = (typeof statusClasses)[number]

export interface RequestFilters {
  statusClass: StatusClass | undefined
  status: number | undefined
  method: string | undefined
  route: string | undefined
  apiKeyId: string | undefined
  userId: string | undefined
  requestId: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export interface RequestLogDeps {
  db: Database
  cursorKey: KeyRing
}
