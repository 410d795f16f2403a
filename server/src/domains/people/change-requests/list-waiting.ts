import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ChangeRequest } from './record.ts'
import { mayDecide } from './rules.ts'
import { selectOperatorsPendingAcrossOrgs, selectPending } from './store.ts'

/** Those of the oldest `limit` that the caller may decide about; for the operator also what other organisations ask. */
export async function listWaitingRequests(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  limit: number,
): Promise<ChangeRequest[]> {
  const { orgId } = caller
  const page = { now: deps.clock.now(), limit }
  const own = await deps.db.inOrg(orgId, (tx) => selectPending(tx, orgId, page))
  const asked = caller.permissions.has('platform:write')
    ? await deps.db.acrossOrgs((tx) => selectOperatorsPendingAcrossOrgs(tx, page))
    : []
  const others = asked.filter((request) => request.orgId !== orgId)
  return [...own, ...others].filter((request) => mayDecide(caller, request))
}
