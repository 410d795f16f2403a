import type { Database } from '../../db/database.ts'
import { selectActiveProviders } from './store.ts'

export const listActiveProviders = (
  deps: { db: Database },
  orgId: string,
  filter: { country: string; paymentMethod: string },
): Promise<{ provider: string; direction: string }[]> =>
  deps.db.inOrg(orgId, (tx) => selectActiveProviders(tx, orgId, filter))
