import type { Tx } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { conflict } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { getMatch, showMatch, type ShownMatch } from './list-matches.ts'
import type { MatchDeps, SanctionsMatch } from './record.ts'
import { mayDecide } from './rules.ts'
import { findMatch, updateDecided } from './store.ts'

interface Decision {
  matchId: string
  reason: string
}

/**
 * The person is the one on the list: what waits is refused, and nothing is begun any more. That makes control stricter,
 * so one person decides, and it applies at once.
 */
export async function confirmMatch(deps: MatchDeps, caller: Caller, input: Decision): Promise<ShownMatch> {
  const { orgId } = await getMatch(deps, caller, input.matchId)
  orgInScope(caller, orgId, 'write')
  const confirmed = await deps.db.inOrg(orgId, (tx) =>
    writeDecision(deps, tx, caller, { ...input, orgId, status: 'confirmed' }),
  )
  return showMatch(deps, confirmed)
}

/** Does not name the person: the organisation reads its audit log, and a suspicion must not be disclosed to it. */
export async function writeDecision(
  deps: Pick<MatchDeps, 'clock'>,
  tx: Tx,
  caller: Caller,
  { orgId, matchId, status, reason }: Decision & { orgId: string; status: 'cleared' | 'confirmed' },
): Promise<SanctionsMatch> {
  const match = await findMatch(tx, orgId, matchId)
  if (!match || !mayDecide[match.status][status])
    throw conflict(`The match is ${match?.status ?? 'gone'} already.`)
  await updateDecided(tx, orgId, { match, status, reason, by: caller.userId, at: deps.clock.now() })
  await recordAudit(tx, caller, orgId, {
    action: status === 'cleared' ? 'sanctions-match.clear' : 'sanctions-match.confirm',
    resourceType: 'sanctions-match',
    resourceId: matchId,
    before: { status: match.status },
    after: { status, subject_kind: match.subjectKind },
  })
  return (await findMatch(tx, orgId, matchId)) ?? match
}
