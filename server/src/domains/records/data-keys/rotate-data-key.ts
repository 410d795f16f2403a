import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../audit-log/record-audit.ts'

export const resealJob = (orgId: string) => ({ service: 'DataKeys', handler: 'reseal', payload: { orgId } })

/** New data is sealed under the new key at once; the engine re-encrypts existing data. */
export async function rotateDataKey(
  deps: { db: Database; vault: Vault },
  caller: Caller,
  input: { orgId: string },
): Promise<{ dataKeyId: string }> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const dataKeyId = await deps.vault.rotate(orgId)
  await deps.db.inOrg(orgId, async (tx) => {
    await enqueue(tx, orgId, resealJob(orgId))
    await recordAudit(tx, caller, orgId, {
      action: 'data-key.rotate',
      resourceType: 'data-key',
      resourceId: dataKeyId,
    })
  })
  return { dataKeyId }
}
