import type { Caller } from '../../../../lib/requests/access.ts'
import { listPendingOfKind } from '../../../people/change-requests/reads.ts'
import { comparePerson, nothingToCompare, type Comparison } from '../rules.ts'
import { getMatch, showMatch, type ShownMatch } from './list-matches.ts'
import type { HeldPayment, MatchDeps } from './record.ts'
import { matchOf } from './rules.ts'

/** How many held payments are shown. */
export const heldLimit = 20

/** A match with everything that its reviewer needs. */
export interface MatchDetails extends ShownMatch {
  comparison: Comparison
  heldPayments: HeldPayment[]
  /** The pending change request to clear it. */
  clearanceRequestId: string | null
}

export async function describeMatch(
  deps: MatchDeps,
  caller: Caller,
  input: { matchId: string },
): Promise<MatchDetails> {
  const match = await showMatch(deps, await getMatch(deps, caller, input.matchId))
  const heldPayments = match.status === 'open' ? await deps.listHeldPayments(match, heldLimit) : []
  const asked = await listPendingOfKind(deps, match.orgId, 'sanctions-match.clear')
  return {
    ...match,
    comparison: match.person ? comparePerson(match.person, match.entry) : nothingToCompare,
    heldPayments,
    clearanceRequestId: asked.find((request) => matchOf(request) === match.matchId)?.requestId ?? null,
  }
}
