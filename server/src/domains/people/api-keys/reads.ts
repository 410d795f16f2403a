import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { SecretRing } from '../../../lib/crypto/secrets.ts'
import type { ApiKey, ApiKeyDeps } from './record.ts'
import { countApiKeys, countOutdatedHashesAcrossOrgs, findApiKey, selectApiKeys } from './store.ts'

export async function listApiKeys(
  deps: Pick<ApiKeyDeps, 'db' | 'cursorKey'>,
  caller: Caller,
  input: { orgId: string | undefined; page: PageRequest },
): Promise<Page<ApiKey> & { totalCount: number }> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'api-keys', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectApiKeys(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.apiKeyId }),
  })
  const totalCount = await deps.db.inOrg(orgId, (tx) => countApiKeys(tx, orgId))
  return { ...page, totalCount }
}

/** In the caller's transaction. */
export const findApiKeyIn = (tx: Tx, orgId: string, apiKeyId: string): Promise<ApiKey | undefined> =>
  findApiKey(tx, orgId, apiKeyId)

/** Keys that work and would end with the older peppers. */
export const countOutdatedHashes = ({
  db,
  peppers,
}: {
  db: Database
  peppers: SecretRing
}): Promise<number> => countOutdatedHashesAcrossOrgs(db, peppers.current.id)
