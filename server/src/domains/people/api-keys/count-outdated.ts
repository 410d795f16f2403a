import type { Database } from '../../../kernel/db/database.ts'
import type { SecretRing } from '../../../lib/crypto/secrets.ts'
import { countOutdatedHashesAcrossOrgs } from './store.ts'

/** Keys that work and would end with the older peppers. */
export const countOutdatedHashes = ({
  db,
  peppers,
}: {
  db: Database
  peppers: SecretRing
}): Promise<number> =>
  countOutdatedHashesAcrossOrgs(db, { currentId: peppers.current.id, firstId: peppers.firstId })
