import type { Tx } from '../../../db/database.ts'
import { listOperatorsAcrossOrgs } from '../../organizations/members/list-administrators.ts'
import { buildEvent } from '../../webhooks/build-event.ts'
import { recordEvent } from '../../webhooks/publish-events.ts'
import type { Bucket, Corridor, CorridorHealth, Signal } from '../record.ts'
import { before, bucketMs, corridorOf } from '../rules.ts'
import {
  countHangingAcrossOrgs,
  selectHealthAcrossOrgs,
  upsertHealthAcrossOrgs,
  type StoredHealth,
} from './store.ts'
import { hangingAfterMs, healthWindowMs, nextHealth } from './track-health.ts'

interface Seen extends Corridor {
  provider: string
  buckets: Bucket[]
  hanging: number
}

/** Judges every corridor that was active lately or is not healthy, and publishes each change once. */
export async function updateHealthAcrossOrgs(tx: Tx, buckets: readonly Bucket[], now: Date): Promise<number> {
  const from = before(now, healthWindowMs)
  const hanging = await countHangingAcrossOrgs(tx, { from, until: before(now, hangingAfterMs) })
  const stored = new Map((await selectHealthAcrossOrgs(tx)).map((row) => [corridorOf(row), row]))
  const recent = buckets.filter(({ bucketStart }) => bucketStart >= before(from, bucketMs))
  let changes = 0
  for (const [corridor, seen] of gather(recent, hanging, stored.values())) {
    const known = stored.get(corridor)
    const next = nextHealth(known, seen, now)
    if (!next || next === known) continue
    const isChange = next.health !== (known?.health ?? 'healthy')
    const row = await upsertHealthAcrossOrgs(tx, { ...toRow(seen, next), isChange })
    if (isChange) await publishChange(tx, row, known?.health ?? 'healthy')
    changes += isChange ? 1 : 0
  }
  return changes
}

const toRow = ({ accountId, direction, method, country, provider }: Seen, next: CorridorHealth) => ({
  accountId,
  direction,
  method,
  country,
  provider,
  health: next.health,
  since: next.since,
  restUntil: next.restUntil,
})

function gather(
  recent: readonly Bucket[],
  hanging: readonly (Corridor & { provider: string; hanging: number })[],
  stored: Iterable<StoredHealth>,
): Map<string, Seen> {
  const corridors = new Map<string, Seen>()
  const find = (one: Corridor & { provider: string }): Seen => {
    const seen = corridors.get(corridorOf(one)) ?? { ...one, buckets: [], hanging: 0 }
    corridors.set(corridorOf(one), seen)
    return seen
  }
  for (const bucket of recent) find(bucket).buckets.push(bucket)
  for (const one of hanging) find(one).hanging = one.hanging
  for (const row of stored) if (row.health !== 'healthy') find(row)
  return corridors
}

/** Nothing about a single organisation is in it: accounts of the installation are shared. */
async function publishChange(tx: Tx, row: StoredHealth, previous: Signal['health']): Promise<void> {
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
