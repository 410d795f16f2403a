import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ApiKeyDeps } from './record.ts'
import { toApiKey } from './schema.ts'
import { findApiKey, lockApiKey, lockKeysOf, revokeDescendants, updateApiKey } from './store.ts'

/** Final and immediate, also for the keys that were made with it. Revoking a revoked key does nothing. */
export function revokeApiKey(
  deps: Pick<ApiKeyDeps, 'db' | 'clock'>,
  caller: Caller,
  input: { apiKeyId: string },
): Promise<void> {
  const now = deps.clock.now()
  return deps.db.inOrg(caller.orgId, async (tx) => {
    const { orgId } = caller
    const found = await findApiKey(tx, orgId, input.apiKeyId)
    if (!found) throw notFound('The API key')
    await lockKeysOf(tx, orgId, found.userId)
    const before = await lockApiKey(tx, orgId, input.apiKeyId)
    if (!before || before.revokedAt) return
    const revoked = [
      await updateApiKey(tx, orgId, { apiKeyId: input.apiKeyId, revokedAt: now }),
      ...(await revokeDescendants(tx, orgId, { apiKeyId: input.apiKeyId, revokedAt: now })),
    ]
    for (const after of revoked)
      await recordAudit(tx, caller, orgId, {
        action: 'api-key.revoke',
        resourceType: 'api-key',
        resourceId: after.apiKeyId,
        before: toApiKey({ ...after, revokedAt: null }, now),
        after: toApiKey(after, now),
      })
  })
}
