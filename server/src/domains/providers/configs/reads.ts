import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { ownAccountsOnlyIn } from '../../people/organizations/reads.ts'
import { listAccountsIn } from '../accounts/reads.ts'
import type { Carrier } from '../accounts/record.ts'
import type { ConfigDeps, ProviderConfig } from './record.ts'
import { findConfig, selectActive, selectConfigs } from './store.ts'
import { routableConfigs } from './rules.ts'

export async function getConfig(
  deps: { db: Database },
  caller: Caller,
  key: { provider: string; configId: string },
): Promise<ProviderConfig> {
  const config = await deps.db.inOrg(caller.orgId, (tx) => findConfig(tx, caller.orgId, key))
  if (!config) throw notFound('The provider configuration')
  return config
}

export const listConfigs = (
  deps: Pick<ConfigDeps, 'db' | 'cursorKey'>,
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

/** Each usable provider once, with an account to ask it by: the installation's where there is one. */
export async function listActiveProviders(
  deps: { db: Database },
  orgId: string,
  filter: { country: string; paymentMethod: string },
): Promise<{ provider: string; carrier: Carrier }[]> {
  const configs = await deps.db.inOrg(orgId, async (tx) =>
    routableConfigs(await selectActive(tx, orgId, filter), {
      accounts: await listAccountsIn(tx, orgId),
      ownAccountsOnly: await ownAccountsOnlyIn(tx, orgId),
    }),
  )
  const byProvider = new Map<string, Carrier>()
  for (const { provider, carrier } of configs)
    if (carrier && (carrier.custody === 'pooled' || !byProvider.has(provider)))
      byProvider.set(provider, carrier)
  return [...byProvider].map(([provider, carrier]) => ({ provider, carrier }))
}
