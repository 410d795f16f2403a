import type { Tx } from '../../../db/database.ts'
import type { Bucket, SignalKey, Weights } from '../record.ts'
import { addCounts, bucketMs, decay, keyOf, noWeights } from '../rules.ts'
import { selectWeightsAcrossOrgs, upsertWeightsAcrossOrgs, type StoredWeights } from './store.ts'

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
  const byKey = Map.groupBy(buckets, keyOf)
  const stored = await selectWeightsAcrossOrgs(tx, [...new Set(buckets.map(({ accountId }) => accountId))])
  const known = new Map(stored.map((row) => [keyOf(row), row]))
  const rows = [...byKey].map(([key, ofKey]) => foldWeights(known.get(key), ofKey, times))
  await upsertWeightsAcrossOrgs(tx, rows)
  return rows.length
}

/** Pure: the weights of one key after its buckets. */
export function foldWeights(
  stored: Pick<StoredWeights, 'settled' | 'settledAt'> | undefined,
  buckets: readonly Bucket[],
  { settledUntil, now }: FoldTimes,
): StoredWeights {
  const final = buckets.filter(({ bucketStart }) => bucketStart < settledUntil)
  const settledAt = final.length > 0 || !stored ? settledUntil : stored.settledAt
  const from = stored ? decay(stored.settled, settledAt.getTime() - stored.settledAt.getTime()) : noWeights
  const settled = addAll(from, final, settledAt)
  const recent = buckets.filter(({ bucketStart }) => bucketStart >= settledUntil)
  const current = addAll(decay(settled, now.getTime() - settledAt.getTime()), recent, now)
  const { accountId, direction, method, country, cardBrand } = buckets[0] as SignalKey // a key has a bucket
  return {
    accountId,
    direction,
    method,
    country,
    cardBrand,
    settled,
    settledAt,
    current,
    updatedAt: now,
  }
}

const addAll = (weights: Weights, buckets: readonly Bucket[], at: Date): Weights =>
  buckets.reduce(
    (sum, bucket) => addCounts(sum, bucket, at.getTime() - bucket.bucketStart.getTime() - bucketMs / 2),
    weights,
  )
