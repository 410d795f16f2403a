import type { Caller } from '../../../../lib/requests/access.ts'
import { conflict } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { ChangeApplier, MaybeHeld } from '../../../people/change-requests/record.ts'
import { writeDecision } from './confirm-match.ts'
import { getMatch, showMatch, type ShownMatch } from './list-matches.ts'
import type { MatchDeps, SanctionsMatch } from './record.ts'
import { clearance, mayDecide } from './rules.ts'
import { findMatch } from './store.ts'

/**
 * A false positive: held payments continue by themselves. That weakens control, so a second operator has to approve it.
 * The only operator of an installation clears it alone.
 */
export async function clearMatch(
  deps: MatchDeps,
  caller: Caller,
  { matchId, reason }: { matchId: string; reason: string },
): Promise<MaybeHeld<ShownMatch>> {
  const { orgId, status } = await getMatch(deps, caller, matchId)
  orgInScope(caller, orgId, 'write')
  if (!mayDecide[status].cleared) throw conflict('The match is cleared already.')
  const outcome = await deps.db.acrossOrgs(async (tx): Promise<MaybeHeld<SanctionsMatch>> => {
    const change = {
      orgId,
      kind: 'sanctions-match.clear',
      payload: { match_id: matchId, reason },
      summary: `Clear the possible sanctions match ${matchId}.`,
    } as const
    const held = caller.permissions.has('platform:write')
      ? await deps.changeControl.holdForOperators(tx, caller, change)
      : await deps.changeControl.propose(tx, caller, { ...change, approver: 'operator' })
    if (held) return { held }
    return { done: await writeDecision(deps, tx, caller, { orgId, matchId, reason, status: 'cleared' }) }
  })
  return outcome.held ? outcome : { done: await showMatch(deps, outcome.done) }
}

export const sanctionsMatchApplier = (deps: Pick<MatchDeps, 'clock'>): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const { match_id: matchId, reason } = clearance.parse(payload)
    if (!(await findMatch(tx, orgId, matchId))) throw conflict('The match is gone.')
    await writeDecision(deps, tx, approver, { orgId, matchId, reason, status: 'cleared' })
  },
})
