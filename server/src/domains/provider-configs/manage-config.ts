import type { Database, Tx } from '../../db/database.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { toRate } from '../../lib/decimal.ts'
import { forbidden, notFound, validationError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import type { CorridorSource } from './list-corridor.ts'
import type { NewProviderConfig, ProviderConfig } from './record.ts'
import { toConfig } from './schema.ts'
import { deleteConfig, findConfig, insertConfig, selectConfigs, updateConfig } from './store.ts'

export interface ConfigDeps {
  db: Database
  cursorKey: Buffer
  corridors: CorridorSource
}

/** Null is the installation's, which only the operator may touch; without a value it is the caller's own. */
export function ownerOf(caller: Caller, orgId: string | null | undefined): string {
  const isOperator = caller.permissions.has('platform:write')
  if (orgId === null || (orgId === undefined && isOperator)) {
    if (!isOperator) throw forbidden('Configurations for every organisation are the operator’s to change.')
    return installationOrgId
  }
  return orgInScope(caller, orgId, 'write')
}

export const inOwner = <T>(db: Database, orgId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  orgId === installationOrgId ? db.acrossOrgs(work) : db.inOrg(orgId, work)

/** Changes of the installation's own rows stand in the operator's audit log. */
const auditedIn = (caller: Caller, orgId: string): string =>
  orgId === installationOrgId ? caller.orgId : orgId

export async function createConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { orgId: string | null | undefined; config: Omit<NewProviderConfig, 'configId'> },
): Promise<ProviderConfig> {
  const orgId = ownerOf(caller, input.orgId)
  assertRange(input.config)
  const created = await inOwner(deps.db, orgId, async (tx) => {
    const config = await insertConfig(tx, orgId, { ...input.config, configId: newId() })
    await recordAudit(tx, caller, auditedIn(caller, orgId), {
      action: 'provider-config.create',
      resourceType: 'provider-config',
      resourceId: config.configId,
      after: toConfig(config),
    })
    return config
  })
  deps.corridors.forget()
  return created
}

/** A range that holds no amount would only look like a configuration. */
function assertRange({ minAmount, maxAmount }: Pick<ProviderConfig, 'minAmount' | 'maxAmount'>): void {
  if (minAmount !== null && maxAmount !== null && toRate(minAmount).gt(maxAmount))
    throw validationError('min_amount: is more than max_amount.', [
      { path: 'min_amount', message: 'is more than max_amount' },
    ])
}

export async function getConfig(
  deps: ConfigDeps,
  caller: Caller,
  key: { provider: string; configId: string },
): Promise<ProviderConfig> {
  const config = await deps.db.inOrg(caller.orgId, (tx) => findConfig(tx, caller.orgId, key))
  if (!config) throw notFound('The provider configuration')
  return config
}

export const listConfigs = (
  deps: ConfigDeps,
  caller: Caller,
  input: { provider: string | undefined; page: PageRequest },
): Promise<Page<ProviderConfig>> =>
  readPage(deps.cursorKey, input.page, {
    scope: { orgId: caller.orgId, route: 'provider-configs', filters: { provider: input.provider } },
    read: (limit, before) =>
      deps.db.inOrg(caller.orgId, (tx) =>
        selectConfigs(tx, caller.orgId, { provider: input.provider, limit, before }),
      ),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.configId }),
  })

export async function changeConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { provider: string; configId: string; change: Partial<NewProviderConfig> },
): Promise<ProviderConfig> {
  const before = await getConfig(deps, caller, input)
  const orgId = ownerOf(caller, before.orgId === installationOrgId ? null : before.orgId)
  assertRange({ ...before, ...input.change })
  const changed = await inOwner(deps.db, orgId, async (tx) => {
    const after = await updateConfig(tx, orgId, { ...input.change, configId: input.configId })
    if (!after) throw notFound('The provider configuration')
    await recordAudit(tx, caller, auditedIn(caller, orgId), {
      action: 'provider-config.update',
      resourceType: 'provider-config',
      resourceId: input.configId,
      before: toConfig(before),
      after: toConfig(after),
    })
    return after
  })
  deps.corridors.forget()
  return changed
}

export async function removeConfig(
  deps: ConfigDeps,
  caller: Caller,
  input: { provider: string; configId: string },
): Promise<void> {
  const before = await getConfig(deps, caller, input)
  const orgId = ownerOf(caller, before.orgId === installationOrgId ? null : before.orgId)
  await inOwner(deps.db, orgId, async (tx) => {
    await deleteConfig(tx, orgId, input.configId)
    await recordAudit(tx, caller, auditedIn(caller, orgId), {
      action: 'provider-config.delete',
      resourceType: 'provider-config',
      resourceId: input.configId,
      before: toConfig(before),
    })
  })
  deps.corridors.forget()
}
