import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { ConfigDeps, ProviderConfig } from './record.ts'
import { selectConfigs } from './store.ts'

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
