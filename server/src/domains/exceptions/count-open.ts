import type { Database } from '../../db/database.ts'
import { countOpenByKindAcrossOrgs } from './store.ts'

/** How many findings of each kind wait for a person, in all organisations and the installation. */
export const countOpenAcrossOrgs = (deps: { db: Database }): Promise<{ kind: string; count: number }[]> =>
  deps.db.acrossOrgs(countOpenByKindAcrossOrgs)
