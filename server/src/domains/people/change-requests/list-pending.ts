import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ChangeKind, ChangeRequest } from './record.ts'
import { selectPendingOfKindAcrossOrgs } from './store.ts'

const readLimit = 1_000

/** The pending requests of a kind, the oldest first and whoever decides about them. */
export const listPendingOfKind = (
  deps: { db: Database; clock: Clock },
  orgId: string,
  kind: ChangeKind,
): Promise<ChangeRequest[]> =>
  deps.db.inOrg(orgId, (tx) =>
    selectPendingOfKindAcrossOrgs(tx, kind, { now: deps.clock.now(), limit: readLimit }),
  )

/** The same for the operator, who sees every organisation. */
export const listPendingOfKindAcrossOrgs = (
  deps: { db: Database; clock: Clock },
  kind: ChangeKind,
): Promise<ChangeRequest[]> =>
  deps.db.acrossOrgs((tx) =>
    selectPendingOfKindAcrossOrgs(tx, kind, { now: deps.clock.now(), limit: readLimit }),
  )
