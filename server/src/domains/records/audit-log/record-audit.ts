import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditRow } from './record.ts'
import { insertAuditRow, insertAuditStatement } from './store.ts'

interface AuditEntry {
  /** `resource.verb`, such as `member.add`. */
  action: string
  resourceType: string
  resourceId: string
  /** The resource as the API shows it, without secrets. */
  before?: object
  after?: object
}

/** Written in the transaction of the change itself, so that no change can be committed without its audit row. */
export const recordAudit = (tx: Tx, caller: Caller, orgId: string, entry: AuditEntry): Promise<void> =>
  insertAuditRow(tx, orgId, toAuditRow(caller, entry))

/** The same, as a statement for a batch. */
export const auditStatement = (caller: Caller, orgId: string, entry: AuditEntry): CompiledQuery =>
  insertAuditStatement(orgId, toAuditRow(caller, entry))

/** For what the installation does by itself, without a caller. */
export const recordSystemAudit = (tx: Tx, orgId: string, entry: AuditEntry): Promise<void> =>
  insertAuditRow(tx, orgId, {
    auditId: newId(),
    userId: 'system',
    credential: 'system',
    apiKeyId: null,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    before: entry.before,
    after: entry.after,
    ip: 'internal',
    userAgent: null,
    requestId: newId(),
  })

const userAgentLimit = 500

const toAuditRow = ({ userId, credential, origin }: Caller, entry: AuditEntry): AuditRow => ({
  auditId: newId(),
  userId,
  credential: credential.kind,
  apiKeyId: credential.kind === 'api_key' ? credential.apiKeyId : null,
  action: entry.action,
  resourceType: entry.resourceType,
  resourceId: entry.resourceId,
  before: entry.before,
  after: entry.after,
  ip: origin.ip,
  userAgent: origin.userAgent?.slice(0, userAgentLimit) ?? null,
  requestId: origin.requestId,
})
