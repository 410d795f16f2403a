import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getConfig } from './reads.ts'
import type { ConfigDeps, NewProviderConfig, ProviderConfig } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from '../accounts/resolve-owner.ts'
import { assertAccountFits } from './check-account.ts'
import { assertRange } from './rules.ts'
import { toConfig } from './schema.ts'
import { updateConfigRow } from './store.ts'

export async function updateConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { provider: string; configId: string; change: Partial<NewProviderConfig> },
): Promise<ProviderConfig> {
  const before = await getConfig(deps, caller, input)
  const orgId = ownerOf(caller, before.orgId === installationOrgId ? null : before.orgId)
  const changedConfig = { ...before, ...input.change }
  assertRange(changedConfig)
  if (input.change.accountId !== undefined) await assertAccountFits(deps, orgId, changedConfig)
  const changed = await inOwner(deps.db, orgId, async (tx) => {
    const after = await updateConfigRow(tx, orgId, { ...input.change, configId: input.configId })
    if (!after) throw notFound('The provider configuration')
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'provider-config.update',
      resourceType: 'provider-config',
      resourceId: input.configId,
      before: toConfig(before),
      after: toConfig(after),
    })
    return after
  })
  deps.corridors.invalidate()
  return changed
}
