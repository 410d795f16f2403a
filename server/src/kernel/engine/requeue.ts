import type { Database, Tx } from '../db/database.ts'
import { newId } from '../../lib/ids.ts'
import { enqueueOnce, type Job } from './outbox.ts'

const batchSize = 500

interface OpenWork<Item> {
  /** The next items after the last one that was read, in a stable order. */
  read(tx: Tx, after: Item | undefined, limit: number): Promise<Item[]>
  jobOf(item: Item): Job & { orgId: string }
}

/**
 * Enqueues a job for each open item under a new id, because the engine would ignore an id that it has seen. If the
 * old job is still running, both run, and the second finds nothing to do.
 */
export async function requeueWork<Item>(db: Database, work: OpenWork<Item>): Promise<number> {
  let requeued = 0
  let after: Item | undefined
  for (;;) {
    const batch = await db.acrossOrgs(async (tx) => {
      const open = await work.read(tx, after, batchSize)
      await Promise.all(
        open.map((item) => {
          const { orgId, ...job } = work.jobOf(item)
          return enqueueOnce(tx, orgId, { ...job, outboxId: newId() })
        }),
      )
      return open
    })
    requeued += batch.length
    after = batch.at(-1)
    if (batch.length < batchSize) return requeued
  }
}
