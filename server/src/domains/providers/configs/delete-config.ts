import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getConfig } from './reads.ts'
import type { ConfigDeps } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from '../accounts/resolve-owner.ts'
import { toConfig } from './schema.ts'
import { deleteConfigRow } from './store.ts'

export async function deleteConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { provider: string; configId: string },
): Promise<void> {
  const before = await getConfig(deps, caller, input)
  const orgId = ownerOf(caller, before.orgId === installationOrgId ? null : before.orgId)
  await inOwner(deps.db, orgId, async (tx) => {
    await deleteConfigRow(tx, orgId, input.configId)
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'provider-config.delete',
      resourceType: 'provider-config',
      resourceId: input.configId,
      before: toConfig(before),
    })
  })
  deps.corridors.invalidate()
}
