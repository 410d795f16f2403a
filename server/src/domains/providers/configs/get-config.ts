import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { ProviderConfig } from './record.ts'
import { findConfig } from './store.ts'

export async function getConfig(
  deps: { db: Database },
  caller: Caller,
  key: { provider: string; configId: string },
): Promise<ProviderConfig> {
  const config = await deps.db.inOrg(caller.orgId, (tx) => findConfig(tx, caller.orgId, key))
  if (!config) throw notFound('The provider configuration')
  return config
}
