import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Dispute } from './record.ts'
import { selectDueDisputes } from './store.ts'

const soonMs = 7 * 24 * 60 * 60_000

/** The open disputes whose answer is due within a week, the most urgent first. */
export const listDueDisputes = async (
  deps: { db: Database; clock: Clock },
  { orgId, permissions }: Caller,
  limit: number,
): Promise<Dispute[]> =>
  permissions.has('disputes:write')
    ? deps.db.inOrg(orgId, (tx) =>
        selectDueDisputes(tx, orgId, { before: new Date(deps.clock.now().getTime() + soonMs), limit }),
      )
    : []
