import type { Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { listOperatorsAcrossOrgs } from '../../../people/organizations/members/reads.ts'
import { buildEvent } from '../../../events/webhooks/build-event.ts'
import { recordEvent } from '../../../events/webhooks/publish-events.ts'
import type { Bucket, Corridor, CorridorHealth, Signal } from '../record.ts'
import { before, bucketMs, corridorOf, worstOf } from '../rules.ts'
import {
  countHangingAcrossOrgs,
  deleteHealthyAcrossOrgs,
  selectReportedAcrossOrgs,
  selectViewsAcrossOrgs,
  upsertReportedAcrossOrgs,
  upsertViewAcrossOrgs,
  type HangingCalls,
  type HealthView,
  type ReportedHealth,
} from './store.ts'
import { hangingAfterMs, healthWindowMs, nextHealth, nextSharedHealth } from './track-health.ts'

/** The outcomes of a corridor by organisation, and the health that each of them saw before. */
interface CorridorFacts {
  corridor: Corridor
  provider: string
  outcomes: Map<string, { buckets: Bucket[]; hanging: number }>
  views: Map<string, CorridorHealth>
}

/** Views that have been healthy for longer than the health window can be deleted. */
const healthyRetentionMs = 2 * healthWindowMs

/** Judges every corridor that was active lately or is not healthy, and publishes each change once. */
export async function updateHealthAcrossOrgs(tx: Tx, buckets: readonly Bucket[], now: Date): Promise<number> {
  const from = before(now, healthWindowMs)
  const hanging = await countHangingAcrossOrgs(tx, { from, until: before(now, hangingAfterMs) })
  const reported = new Map((await selectReportedAcrossOrgs(tx)).map((row) => [corridorOf(row), row]))
  const recent = buckets.filter(({ bucketStart }) => bucketStart >= before(from, bucketMs))
  const views = await selectViewsAcrossOrgs(tx)
  let changes = 0
  for (const [key, facts] of gather({ recent, hanging, views, reported: reported.values() })) {
    await updateViews(tx, facts, now)
    if (await report(tx, facts, reported.get(key), now)) changes += 1
  }
  if (views.length > 0) await deleteHealthyAcrossOrgs(tx, before(now, healthyRetentionMs))
  return changes
}

/** Updates the view of each organisation from its own outcomes, and the shared view from all of them. */
async function updateViews(tx: Tx, { corridor, outcomes, views }: CorridorFacts, now: Date): Promise<void> {
  const none = { buckets: [], hanging: 0 }
  const shared = nextSharedHealth(views.get(installationOrgId), [...outcomes.values()], now)
  const orgIds = new Set([...outcomes.keys(), ...views.keys()])
  orgIds.delete(installationOrgId)
  const next = [...orgIds].map(
    (orgId) => [orgId, nextHealth(views.get(orgId), outcomes.get(orgId) ?? none, now)] as const,
  )
  for (const [orgId, view] of [[installationOrgId, shared] as const, ...next]) {
    if (!view || view === views.get(orgId)) continue
    views.set(orgId, view)
    await upsertViewAcrossOrgs(tx, { ...corridor, ...view, orgId })
  }
}

/** Reports the worst view to the operator, without the name of an organisation. */
async function report(
  tx: Tx,
  { corridor, provider, views }: CorridorFacts,
  known: ReportedHealth | undefined,
  now: Date,
): Promise<boolean> {
  const worst = worstOf([...views.values()])
  const health = worst?.health ?? 'healthy'
  const previous = known?.health ?? 'healthy'
  if (health === previous) return false
  const restUntil = worst?.restUntil ?? null
  const row = await upsertReportedAcrossOrgs(tx, { ...corridor, provider, health, since: now, restUntil })
  await publishChange(tx, row, previous)
  return true
}

function gather(known: {
  recent: readonly Bucket[]
  hanging: readonly HangingCalls[]
  views: readonly HealthView[]
  reported: Iterable<ReportedHealth>
}): Map<string, CorridorFacts> {
  const corridors = new Map<string, CorridorFacts>()
  const find = ({ accountId, direction, method, country }: Corridor, provider = ''): CorridorFacts => {
    const corridor = { accountId, direction, method, country }
    const facts = corridors.get(corridorOf(corridor)) ?? {
      corridor,
      provider,
      outcomes: new Map(),
      views: new Map(),
    }
    corridors.set(corridorOf(corridor), facts)
    return facts
  }
  const outcomesOf = ({ outcomes }: CorridorFacts, orgId: string): { buckets: Bucket[]; hanging: number } => {
    const found = outcomes.get(orgId) ?? { buckets: [], hanging: 0 }
    outcomes.set(orgId, found)
    return found
  }
  // Reported corridors come first, because they name their provider even without recent outcomes.
  for (const row of known.reported) if (row.health !== 'healthy') find(row, row.provider)
  for (const bucket of known.recent)
    outcomesOf(find(bucket, bucket.provider), bucket.orgId).buckets.push(bucket)
  for (const one of known.hanging) outcomesOf(find(one, one.provider), one.orgId).hanging = one.hanging
  for (const { orgId, ...view } of known.views) find(view).views.set(orgId, view)
  return corridors
}

/** The event names no organisation, because accounts of the installation are shared. */
async function publishChange(tx: Tx, row: ReportedHealth, previous: Signal['health']): Promise<void> {
  const operators = new Set((await listOperatorsAcrossOrgs(tx)).map(({ orgId }) => orgId))
  for (const orgId of operators)
    await recordEvent(
      tx,
      orgId,
      buildEvent('provider.health_changed', {
        resourceId: row.corridorId,
        createdAt: row.since,
        data: {
          corridor_id: row.corridorId,
          provider: row.provider,
          account_id: row.accountId,
          direction: row.direction,
          payment_method: row.method,
          country: row.country,
          health: row.health,
          previous_health: previous,
          since: row.since.toISOString(),
          sequence: row.changes,
        },
      }),
    )
}
