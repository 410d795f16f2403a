import type { Caller } from '../../../../lib/requests/access.ts'
import type { Corridor, Signal } from '../record.ts'
import { corridorOf } from '../rules.ts'
import type { History, HistoryDeps, HistoryFilter, HistoryRow, RouteHistory } from './record.ts'
import { selectHistory, selectHistoryAcrossOrgs } from './store.ts'

const rowsLimit = 20_000

/** What the organisation's attempts show over time; for the operator, those of every organisation. */
export async function getHistory(deps: HistoryDeps, caller: Caller, filter: HistoryFilter): Promise<History> {
  const { orgId } = caller
  const isOperator = caller.permissions.has('platform:read')
  const rows = isOperator
    ? await deps.db.acrossOrgs((tx) => selectHistoryAcrossOrgs(tx, filter, rowsLimit))
    : await deps.db.inOrg(orgId, (tx) => selectHistory(tx, orgId, filter, rowsLimit))
  const now = deps.clock.now()
  const healthOf: HealthOf = (corridor) =>
    isOperator
      ? deps.routingSignals.reportedHealthOf(corridor)
      : deps.routingSignals.healthOf(orgId, corridor)
  const routes = [...Map.groupBy(rows, corridorOf).values()].flatMap((ofRoute) =>
    toRoute(ofRoute, healthOf, (accountId) => deps.routingSignals.isInMaintenance(accountId, now)),
  )
  return { filter, routes, isTruncated: rows.length >= rowsLimit }
}

type HealthOf = (corridor: Corridor) => Pick<Signal, 'health' | 'since'>

function toRoute(
  rows: HistoryRow[],
  healthOf: HealthOf,
  isInMaintenance: (accountId: string) => boolean,
): RouteHistory[] {
  const [first] = rows
  if (!first) return []
  const { accountId, direction, method, country, provider } = first
  const corridor = { accountId, direction, method, country }
  const { health, since } = healthOf(corridor)
  return [{ ...corridor, provider, health, since, isInMaintenance: isInMaintenance(accountId), rows }]
}
