import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import type { ApiKeyDeps } from './record.ts'
import { toApiKey } from './schema.ts'
import { lockApiKey, updateApiKey } from './store.ts'

/** Final and immediate. Revoking a revoked key does nothing. */
export function revokeApiKey(
  deps: Pick<ApiKeyDeps, 'db' | 'clock'>,
  caller: Caller,
  input: { apiKeyId: string },
): Promise<void> {
  const now = deps.clock.now()
  return deps.db.inOrg(caller.orgId, async (tx) => {
    const before = await lockApiKey(tx, caller.orgId, input.apiKeyId)
    if (!before) throw notFound('The API key')
    if (before.revokedAt) return
    const after = await updateApiKey(tx, caller.orgId, { apiKeyId: input.apiKeyId, revokedAt: now })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'api-key.revoke',
      resourceType: 'api-key',
      resourceId: input.apiKeyId,
      before: toApiKey(before, now),
      after: toApiKey(after, now),
    })
  })
}
