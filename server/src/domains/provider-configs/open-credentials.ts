import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { findCredentials } from './store.ts'

/** What was stored for a provider: the organisation's own, else the installation's. In memory only. */
export async function openCredentials(
  deps: { db: Database; vault: Vault },
  orgId: string,
  provider: string,
): Promise<{ orgId: string; credentials: unknown } | undefined> {
  const stored = await deps.db.inOrg(orgId, (tx) => findCredentials(tx, orgId, provider))
  if (!stored) return undefined
  const credentials = await deps.vault.open(stored.orgId, `credentials ${provider}`, stored.credentialsSealed)
  return { orgId: stored.orgId, credentials }
}
