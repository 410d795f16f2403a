import type { Database } from '../../db/database.ts'
import { enqueueOnce } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { superviseRefundJob } from './refund-payment.ts'
import { selectOpenRefundsAcrossOrgs } from './store.ts'

const batchSize = 500

export async function reopenRefunds(deps: { db: Database }): Promise<number> {
  let reopened = 0
  let after: string | undefined
  for (;;) {
    const batch = await deps.db.acrossOrgs(async (tx) => {
      const open = await selectOpenRefundsAcrossOrgs(tx, after, batchSize)
      for (const refund of open) await enqueueOnce(tx, refund.orgId, superviseRefundJob(refund, newId()))
      return open
    })
    reopened += batch.length
    after = batch.at(-1)?.refundId
    if (batch.length < batchSize) return reopened
  }
}
