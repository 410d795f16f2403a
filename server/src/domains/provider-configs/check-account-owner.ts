import type { Database } from '../../db/database.ts'
import { findCredentials } from './store.ts'

/** False if the organisation uses the installation's account at the provider. */
export async function ownsAccount(deps: { db: Database }, orgId: string, provider: string): Promise<boolean> {
  const stored = await deps.db.inOrg(orgId, (tx) => findCredentials(tx, orgId, provider))
  return stored?.orgId === orgId
}
