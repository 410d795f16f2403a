import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { mailLimits } from './rules.ts'
import { deleteMailBudgetsAcrossOrgs } from './store.ts'

const batchSize = 1_000
const batchesLimit = 100
const longestWindowMs = Math.max(...Object.values(mailLimits).map(({ windowMs }) => windowMs))

/** A budget whose window is over counts nothing any more; the next mail would begin a new one. */
export async function purgeMailBudgets(deps: { db: Database; clock: Clock }): Promise<number> {
  const startedBefore = new Date(deps.clock.now().getTime() - longestWindowMs)
  let purged = 0
  for (let batch = 0; batch < batchesLimit; batch++) {
    const deleted = await deps.db.acrossOrgs((tx) =>
      deleteMailBudgetsAcrossOrgs(tx, startedBefore, batchSize),
    )
    purged += deleted
    if (deleted < batchSize) break
  }
  return purged
}
