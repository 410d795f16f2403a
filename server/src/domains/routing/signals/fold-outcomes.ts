import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { updateHealthAcrossOrgs } from './current/update-health.ts'
import { updateWeightsAcrossOrgs } from './current/update-weights.ts'
import { before, bucketMs, earlier, floorTo } from './rules.ts'
import {
  deleteBucketsAcrossOrgs,
  foldBucketsAcrossOrgs,
  foldHistoryAcrossOrgs,
  rollUpHoursAcrossOrgs,
  selectBucketsAcrossOrgs,
  selectProgressAcrossOrgs,
  tryLockFoldAcrossOrgs,
  updateProgressAcrossOrgs,
  type Progress,
} from './store.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** What every pass counts again, for commits that arrive a moment after their time. */
const recentMs = 3 * second
const thoroughEveryMs = 15 * second
/** Longer than any transaction may last, so that what is older cannot change any more. */
const lateCommitMs = 2 * minute
/** Clocks of other processes may be ahead. */
const aheadMs = minute
/** After a downtime of the workers, each pass catches up by this much at most. */
const chunkMs = 10 * minute
const bucketsKeptMs = 20 * minute

export interface FoldReport {
  isThorough: boolean
  isCaughtUp: boolean
  keys: number
  healthChanges: number
}

/**
 * One pass over the outcomes that were committed lately: counts them by account and corridor, moves the weights on
 * and judges the health. Undefined if another worker is folding.
 */
export const foldOutcomes = (deps: { db: Database; clock: Clock }): Promise<FoldReport | undefined> =>
  deps.db.acrossOrgs(async (tx) => {
    if (!(await tryLockFoldAcrossOrgs(tx))) return undefined
    return foldOnce(tx, await selectProgressAcrossOrgs(tx), deps.clock.now())
  })

async function foldOnce(tx: Tx, progress: Progress, now: Date): Promise<FoldReport> {
  const foldedUntil = earlier(now, new Date(progress.foldedUntil.getTime() + chunkMs))
  const isCaughtUp = foldedUntil.getTime() === now.getTime()
  const isThorough = !isCaughtUp || now.getTime() - progress.thoroughAt.getTime() >= thoroughEveryMs
  const start = earlier(progress.foldedUntil, now)
  const to = new Date(foldedUntil.getTime() + aheadMs)
  // The hours are summed up once a minute, because they read many more rows.
  const sumsHours = !isCaughtUp || floorTo(progress.thoroughAt, minute) < floorTo(now, minute)
  if (isThorough) await foldThoroughly(tx, { from: before(start, lateCommitMs), to, sumsHours })
  else await foldBucketsAcrossOrgs(tx, { from: floorTo(before(start, recentMs), bucketMs), to })

  const settledUntil = floorTo(before(foldedUntil, lateCommitMs), bucketMs)
  const buckets = await selectBucketsAcrossOrgs(tx, earlier(progress.settledUntil, settledUntil))
  const isSettling = settledUntil > progress.settledUntil
  const times = { settledUntil: isSettling ? settledUntil : progress.settledUntil, now: foldedUntil }
  const unsettled = buckets.filter(({ bucketStart }) => bucketStart >= progress.settledUntil)
  const keys = await updateWeightsAcrossOrgs(tx, unsettled, times)
  const healthChanges = isCaughtUp ? await updateHealthAcrossOrgs(tx, buckets, now) : 0
  await updateProgressAcrossOrgs(tx, {
    foldedUntil,
    settledUntil: times.settledUntil,
    thoroughAt: isThorough ? now : progress.thoroughAt,
  })
  return { isThorough, isCaughtUp, keys, healthChanges }
}

async function foldThoroughly(
  tx: Tx,
  { from, to, sumsHours }: { from: Date; to: Date; sumsHours: boolean },
): Promise<void> {
  const ends = new Date(floorTo(to, minute).getTime() + minute)
  await foldHistoryAcrossOrgs(tx, { from: floorTo(from, minute), to: ends })
  await deleteBucketsAcrossOrgs(tx, before(from, bucketsKeptMs))
  if (sumsHours) await rollUpHoursAcrossOrgs(tx, { from: floorTo(from, hour), to: ends })
}
