import type { Row } from '../../src/kernel/db/pipeline.ts'
import type { Deps } from '../../src/main/deps.ts'

/** Runs around a transaction: it may delay the transaction, make it fail, or lose its answer. */
type Around = (commit: () => Promise<Row[][]>) => Promise<Row[][]>

const firstWrite = /^insert into "payments"/
const laterWrite = /"payments" set/

/**
 * Intercepts the transactions of the payment path until the returned function is called: the first, which writes a
 * payment, and those that change it.
 */
export function interceptWrites(deps: Deps, around: { first?: Around; later?: Around }): () => void {
  const original = deps.db
  deps.db = {
    ...original,
    batchInOrg(orgId, batch) {
      const commit = (): Promise<Row[][]> => original.batchInOrg(orgId, batch)
      if (around.first && batch.some(({ sql }) => firstWrite.test(sql))) return around.first(commit)
      if (around.later && batch.some(({ sql }) => laterWrite.test(sql))) return around.later(commit)
      return commit()
    },
  }
  return () => {
    deps.db = original
  }
}

/** The transaction fails, and nothing of it is written. */
export const failing: Around = () => Promise.reject(new Error('this write fails'))
