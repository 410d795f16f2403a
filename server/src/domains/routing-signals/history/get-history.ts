import type { Caller } from '../../../lib/access.ts'
import { corridorOf } from '../rules.ts'
import type { History, HistoryDeps, HistoryFilter, HistoryRow, RouteHistory } from './record.ts'
import { selectHistory, selectHistoryAcrossOrgs } from './store.ts'

const rowsLimit = 20_000

/** What the organisation's attempts show over time; for the operator, those of every organisation. */
export async function getHistory(deps: HistoryDeps, caller: Caller, filter: HistoryFilter): Promise<History> {
  const { orgId } = caller
  const rows = caller.permissions.has('platform:read')
    ? await deps.db.acrossOrgs((tx) => selectHistoryAcrossOrgs(tx, filter, rowsLimit))
    : await deps.db.inOrg(orgId, (tx) => selectHistory(tx, orgId, filter, rowsLimit))
  const now = deps.clock.now()
  const routes = [...Map.groupBy(rows, corridorOf).values()].flatMap((ofRoute) => toRoute(deps, ofRoute, now))
  return { filter, routes, isTruncated: rows.length >= rowsLimit }
}

function toRoute(deps: HistoryDeps, rows: HistoryRow[], now: Date): RouteHistory[] {
  const [first] = rows
  if (!first) return []
  const { accountId, direction, method, country, provider } = first
  const corridor = { accountId, direction, method, country }
  const { health, since } = deps.routingSignals.healthOf(corridor)
  const isInMaintenance = deps.routingSignals.isInMaintenance(accountId, now)
  return [{ ...corridor, provider, health, since, isInMaintenance, rows }]
}
