import type { SearchDeps } from './record.ts'
import { requeueSetAsideAcrossOrgs } from './store.ts'

/** For an operator who has restored a data key or the damaged rows: their terms are derived again. */
export const requeueUnreadable = (deps: Pick<SearchDeps, 'db'>): Promise<number> =>
  deps.db.acrossOrgs(requeueSetAsideAcrossOrgs)
