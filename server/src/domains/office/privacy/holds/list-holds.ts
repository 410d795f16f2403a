import type { Database, Tx } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import type { HoldDeps, LegalHold } from './record.ts'
import { selectHeldOrgsAcrossOrgs, selectHeldSubjects, selectHolds } from './store.ts'

export const listHolds = (
  deps: HoldDeps,
  { orgId }: Caller,
  { page }: { page: PageRequest },
): Promise<Page<LegalHold>> =>
  readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'legal holds', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectHolds(tx, orgId, { limit, before })),
    positionOf: ({ placedAt, holdId }) => ({ createdAt: placedAt, id: holdId }),
  })

/** The organisations that have a hold in force, whatever it is about. */
export const listHeldOrgs = ({ db }: { db: Database }): Promise<string[]> =>
  db.acrossOrgs(selectHeldOrgsAcrossOrgs)

/** Those of the records that are under a hold. */
export const listHeld = (tx: Tx, orgId: string, subjectIds: readonly string[]): Promise<string[]> =>
  selectHeldSubjects(tx, orgId, subjectIds)
