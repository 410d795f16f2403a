import type { Database } from '../../db/database.ts'
import { findCredentials } from './store.ts'

/** Whether the organisation has its own account at the provider, or shares the installation's. */
export async function ownsAccount(deps: { db: Database }, orgId: string, provider: string): Promise<boolean> {
  const stored = await deps.db.inOrg(orgId, (tx) => findCredentials(tx, orgId, provider))
  return stored?.orgId === orgId
}
