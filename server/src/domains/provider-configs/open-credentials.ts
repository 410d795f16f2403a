import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { findCredentials } from './store.ts'

/** Decrypts the organisation's credentials, else the installation's. Never store the result. */
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
