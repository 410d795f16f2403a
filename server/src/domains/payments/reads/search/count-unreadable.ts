import type { SearchDeps } from './record.ts'
import { countSetAsideAcrossOrgs } from './store.ts'

/** How many payments cannot be found by their people, because their sealed details cannot be opened. */
export const countUnreadableAcrossOrgs = (deps: Pick<SearchDeps, 'db'>): Promise<number> =>
  deps.db.acrossOrgs(countSetAsideAcrossOrgs)
