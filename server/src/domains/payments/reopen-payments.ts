import type { Database } from '../../db/database.ts'
import { enqueueOnce } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { selectOpenPaymentsAcrossOrgs } from './store.ts'
import { superviseAnew } from './supervise-job.ts'

const batchSize = 500

/** Hands every open payment to the engine again. One that is looked after already is looked at twice, harmlessly. */
export async function reopenPayments(deps: { db: Database }): Promise<number> {
  let reopened = 0
  let after: string | undefined
  for (;;) {
    const batch = await deps.db.acrossOrgs(async (tx) => {
      const open = await selectOpenPaymentsAcrossOrgs(tx, after, batchSize)
      for (const payment of open) await enqueueOnce(tx, payment.orgId, superviseAnew(payment, newId()))
      return open
    })
    reopened += batch.length
    after = batch.at(-1)?.paymentId
    if (batch.length < batchSize) return reopened
  }
}
