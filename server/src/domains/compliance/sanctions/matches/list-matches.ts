import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import type { Person } from '../record.ts'
import { matchContext, type MatchDeps, type SanctionsMatch } from './record.ts'
import { findMatch, selectMatchesAcrossOrgs, type MatchFilters } from './store.ts'

/** A match with the person in clear text; null once the person was erased. */
export type ShownMatch = SanctionsMatch & { person: Person | null }

const isOperator = (caller: Caller): boolean => caller.permissions.has('platform:read')

/** The operator reads the queue of every organisation; members read that of their own. */
export function listMatches(
  deps: MatchDeps,
  caller: Caller,
  { filters, page }: { filters: Omit<MatchFilters, 'withKyb'>; page: PageRequest },
): Promise<Page<ShownMatch>> {
  const orgId =
    isOperator(caller) && filters.orgId === undefined ? undefined : orgInScope(caller, filters.orgId, 'read')
  const read = { ...filters, orgId, withKyb: isOperator(caller) }
  return readPage(deps.cursorKey, page, {
    scope: { orgId: caller.orgId, route: 'sanctions-matches', filters: { ...filters } },
    read: async (limit, before) => {
      const select = { ...read, limit, before }
      const rows = isOperator(caller)
        ? await deps.db.acrossOrgs((tx) => selectMatchesAcrossOrgs(tx, select))
        : await deps.db.inOrg(caller.orgId, (tx) => selectMatchesAcrossOrgs(tx, select))
      return Promise.all(rows.map((row) => showMatch(deps, row)))
    },
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.matchId }),
  })
}

export const showMatch = async (deps: { vault: Vault }, match: SanctionsMatch): Promise<ShownMatch> => ({
  ...match,
  person:
    match.personSealed.length === 0
      ? null
      : ((await deps.vault.open(match.orgId, matchContext(match.matchId), match.personSealed)) as Person), // sealed by us from this type
})

/** Another organisation's match does not exist, and one about the people behind the caller's own is the operator's. */
export async function getMatch(
  deps: { db: Database },
  caller: Caller,
  matchId: string,
): Promise<SanctionsMatch> {
  const match = isOperator(caller)
    ? await deps.db.acrossOrgs((tx) => findMatch(tx, undefined, matchId))
    : await deps.db.inOrg(caller.orgId, (tx) => findMatch(tx, caller.orgId, matchId))
  if (!match || (match.subjectKind === 'kyb' && !isOperator(caller))) throw notFound('The match')
  return match
}
