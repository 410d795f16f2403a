import type { Tx } from '../../../../kernel/db/database.ts'
import type { Bucket, SignalKey, Weights } from '../record.ts'
import { addCounts, before, boundWeights, bucketMs, decay, keyOf, noWeights, sumWeights } from '../rules.ts'
import {
  selectWeightsAcrossOrgs,
  upsertPoolAcrossOrgs,
  upsertWeightsAcrossOrgs,
  weightsLastMs,
  type OrgWeights,
  type PooledWeights,
} from './store.ts'

interface FoldTimes {
  /** Buckets that start before it are final: no late commit can change them. */
  settledUntil: Date
  now: Date
}

/**
 * Moves the weights on. `buckets` are those since the former `settledUntil`, so each final one is added to the
 * settled weights exactly once, in the transaction that stores the new `settledUntil`.
 */
export async function updateWeightsAcrossOrgs(
  tx: Tx,
  buckets: readonly Bucket[],
  times: FoldTimes,
): Promise<number> {
  const accountIds = [...new Set(buckets.map(({ accountId }) => accountId))]
  const since = before(times.now, weightsLastMs)
  const stored = await selectWeightsAcrossOrgs(tx, { accountIds, since })
  const known = new Map(stored.map((row) => [rowOf(row), row]))
  const changed = [...Map.groupBy(buckets, rowOf)].flatMap(([row, ofRow]) => {
    const former = known.get(row)
    const folded = foldWeights(former, ofRow, times)
    known.set(row, folded)
    return former && isUnchanged(former, folded) ? [] : [folded]
  })
  await upsertWeightsAcrossOrgs(tx, changed)
  const active = new Set(buckets.map(keyOf))
  const pools = [...Map.groupBy(known.values(), keyOf)]
    .filter(([key]) => active.has(key))
    .map(([, ofKey]) => poolWeights(ofKey, times.now))
  await upsertPoolAcrossOrgs(tx, pools)
  return pools.length
}

const rowOf = (row: SignalKey & { orgId: string }): string => `${row.orgId} ${keyOf(row)}`

/** Pure: the weights of one organisation at one key after its buckets. */
export function foldWeights(
  stored: Pick<OrgWeights, 'settled' | 'settledAt'> | undefined,
  buckets: readonly Bucket[],
  { settledUntil, now }: FoldTimes,
): OrgWeights {
  const final = buckets.filter(({ bucketStart }) => bucketStart < settledUntil)
  const settledAt = final.length > 0 || !stored ? settledUntil : stored.settledAt
  const from = stored ? decay(stored.settled, settledAt.getTime() - stored.settledAt.getTime()) : noWeights
  const settled = addAll(from, final, settledAt)
  const recent = buckets.filter(({ bucketStart }) => bucketStart >= settledUntil)
  const current = addAll(decay(settled, now.getTime() - settledAt.getTime()), recent, now)
  const { orgId, ...key } = buckets[0] as Bucket // a group has a bucket
  return { orgId, ...pickKey(key), settled, settledAt, current, updatedAt: now }
}

/** Pure: what everybody reads about one key, in which no organisation exceeds the bound. */
function poolWeights(rows: readonly OrgWeights[], now: Date): PooledWeights {
  const bounded = rows.map(({ current, updatedAt }) =>
    boundWeights(decay(current, now.getTime() - updatedAt.getTime())),
  )
  return { ...pickKey(rows[0] as OrgWeights), current: sumWeights(bounded), updatedAt: now } // a group has a row
}

const pickKey = ({ accountId, direction, method, country, cardBrand }: SignalKey): SignalKey => ({
  accountId,
  direction,
  method,
  country,
  cardBrand,
})

const smallest = 1e-6

/** Weights that have only decayed are not written again: those who read them let them decay themselves. */
function isUnchanged(stored: OrgWeights, { settledAt, current, updatedAt }: OrgWeights): boolean {
  const aged = decay(stored.current, updatedAt.getTime() - stored.updatedAt.getTime())
  const differences = [
    aged.total - current.total,
    aged.success - current.success,
    aged.unknown - current.unknown,
    aged.costShare - current.costShare,
    ...aged.latencies.map((value, slot) => value - (current.latencies[slot] ?? 0)),
  ]
  const isSettled = stored.settledAt.getTime() === settledAt.getTime()
  return isSettled && differences.every((difference) => Math.abs(difference) < smallest)
}

const addAll = (weights: Weights, buckets: readonly Bucket[], at: Date): Weights =>
  buckets.reduce(
    (sum, bucket) => addCounts(sum, bucket, at.getTime() - bucket.bucketStart.getTime() - bucketMs / 2),
    weights,
  )
