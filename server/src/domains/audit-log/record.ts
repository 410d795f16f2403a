import type { Selectable } from 'kysely'
import type { DB } from '../../db/generated/schema.ts'
import type { Credential } from '../../lib/access.ts'

export interface AuditRow {
  auditId: string
  userId: string
  credential: Credential['kind']
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

export type StoredAuditRow = Selectable<DB['audit_log']>

export interface AuditFilters {
  userId: string | undefined
  action: string | undefined
  resourceType: string | undefined
  resourceId: string | undefined
}
