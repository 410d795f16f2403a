import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ConfigDeps, NewProviderConfig, ProviderConfig } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from '../accounts/resolve-owner.ts'
import { assertAccountFits } from './check-account.ts'
import { assertRange } from './rules.ts'
import { toConfig } from './schema.ts'
import { insertConfig } from './store.ts'

export async function createConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { orgId: string | null | undefined; config: Omit<NewProviderConfig, 'configId'> },
): Promise<ProviderConfig> {
  const orgId = ownerOf(caller, input.orgId)
  assertRange(input.config)
  await assertAccountFits(deps, orgId, input.config)
  const created = await inOwner(deps.db, orgId, async (tx) => {
    const config = await insertConfig(tx, orgId, { ...input.config, configId: newId() })
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'provider-config.create',
      resourceType: 'provider-config',
      resourceId: config.configId,
      after: toConfig(config),
    })
    return config
  })
  deps.corridors.invalidate()
  return created
}
