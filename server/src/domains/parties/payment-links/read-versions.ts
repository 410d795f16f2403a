import type { Database } from '../../../kernel/db/database.ts'
import type { LinkVersion } from './record.ts'
import { selectLinkVersionsAcrossOrgs } from './store.ts'

/** The versions of many links and the payments behind them, in one statement. */
export const readLinkVersions = async (
  db: Database,
  links: readonly Pick<LinkVersion, 'orgId' | 'linkId'>[],
): Promise<LinkVersion[]> =>
  links.length === 0 ? [] : selectLinkVersionsAcrossOrgs(db.readAcrossOrgs, links)
