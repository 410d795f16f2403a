import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { newId } from '../../lib/ids.ts'
import { insertAuditRow } from './store.ts'

export interface AuditEntry {
  /** `resource.verb`, such as `member.add`. */
  action: string
  resourceType: string
  resourceId: string
  /** The resource as callers see it, without secrets. */
  before?: object
  after?: object
}

/** Who did what, in the transaction that did it: a write without its audit row cannot be committed. */
export function recordAudit(tx: Tx, caller: Caller, orgId: string, entry: AuditEntry): Promise<void> {
  const { credential, origin } = caller
  return insertAuditRow(tx, orgId, {
    auditId: newId(),
    userId: caller.userId,
    credential: credential.kind,
    apiKeyId: credential.kind === 'api_key' ? credential.apiKeyId : null,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    before: entry.before,
    after: entry.after,
    ip: origin.ip,
    userAgent: origin.userAgent?.slice(0, 500) ?? null,
    requestId: origin.requestId,
  })
}
