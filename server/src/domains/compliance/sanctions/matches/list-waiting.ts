import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { listPendingOfKind, listPendingOfKindAcrossOrgs } from '../../../people/change-requests/reads.ts'
import type { SanctionsMatch } from './record.ts'
import { matchOf } from './rules.ts'
import { selectMatchesAcrossOrgs } from './store.ts'

const kind = 'sanctions-match.clear'

/**
 * Those of the newest `limit` open matches that nobody has asked to clear. What somebody has asked for waits for the
 * operator as a change request.
 */
export async function listWaitingMatches(
  deps: { db: Database; clock: Clock },
  { orgId, permissions }: Pick<Caller, 'orgId' | 'permissions'>,
  limit: number,
): Promise<SanctionsMatch[]> {
  if (!permissions.has('screening:write')) return []
  const isOperator = permissions.has('platform:write')
  const select = { status: 'open', subjectKind: undefined, subjectId: undefined, before: undefined } as const
  const open = isOperator
    ? await deps.db.acrossOrgs((tx) =>
        selectMatchesAcrossOrgs(tx, { ...select, orgId: undefined, withKyb: true, limit }),
      )
    : await deps.db.inOrg(orgId, (tx) =>
        selectMatchesAcrossOrgs(tx, { ...select, orgId, withKyb: false, limit }),
      )
  if (open.length === 0) return []
  const asked = isOperator
    ? await listPendingOfKindAcrossOrgs(deps, kind)
    : await listPendingOfKind(deps, orgId, kind)
  const askedIds = new Set(asked.map(matchOf))
  return open.filter(({ matchId }) => !askedIds.has(matchId))
}
