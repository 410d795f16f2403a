import type { Selectable } from 'kysely'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { DB } from '../../../kernel/db/generated/schema.ts'
import type { Credential } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export interface AuditRow {
  auditId: string
  userId: string
  /** `system`: the installation itself, without a caller. */
  credential: Credential['kind'] | 'system'
  apiKeyId: string | null
  action: string
  resourceType: string
  resourceId: string
  before: unknown
  after: unknown
  ip: string
  userAgent: string | null
  requestId: string
}

export interface AuditLogDeps {
  db: Database
  cursorKey: KeyRing
  /** Organisations depend on the audit log, so their members' names are looked up through this. */
  listNamesIn(this: void, tx: Tx, orgId: string, userIds: readonly string[]): Promise<Map<string, string>>
}

export type StoredAuditRow = Selectable<DB['audit_log']>

/** A row with the name of who made the change; null for somebody who is no member any more, or a payer. */
export interface NamedAuditRow extends StoredAuditRow {
  userName: string | null
}

export interface AuditFilters {
  from: Date | undefined
  to: Date | undefined
  userId: string | undefined
  action: string | undefined
  resourceType: string | undefined
  resourceId: string | undefined
}
