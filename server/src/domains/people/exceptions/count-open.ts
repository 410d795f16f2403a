import type { Database } from '../../../kernel/db/database.ts'
import { countOpenByKindAcrossOrgs, type OpenKind } from './store.ts'

/** How many findings of each kind wait for a person, in all organisations and the installation. */
export const countOpenAcrossOrgs = (deps: { db: Database }): Promise<OpenKind[]> =>
  deps.db.acrossOrgs(countOpenByKindAcrossOrgs)
