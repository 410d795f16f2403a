import type { Database } from '../../../../kernel/db/database.ts'
import type { MembershipOfPerson } from './record.ts'
import { selectMembershipsAcrossOrgs } from './store.ts'

/** The organisations that a person is a member of, by name. */
export const listMemberships = (deps: { db: Database }, userId: string): Promise<MembershipOfPerson[]> =>
  selectMembershipsAcrossOrgs(deps.db.readAcrossOrgs, userId)
