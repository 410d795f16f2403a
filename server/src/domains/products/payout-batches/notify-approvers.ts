import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { noticeStatements } from '../../people/notifications/queue-notification.ts'
import { listAdministrators } from '../../people/organizations/members/reads.ts'
import type { Batch } from './record.ts'

/** Notices for those who may approve the batch; statements for the transaction that writes it. */
export async function announceBatch(
  deps: { db: Database },
  batch: Batch,
  requestId: string,
): Promise<CompiledQuery[]> {
  const members = await listAdministrators(deps, batch.orgId)
  const amounts = batch.totals.map(
    ({ currency, amountMinor }) => `${formatMinor(amountMinor, currency)} ${currency}`,
  )
  return members
    .filter(({ userId }) => userId !== batch.createdBy)
    .flatMap(({ userId, email, firstName, country }) =>
      noticeStatements(
        batch.orgId,
        {
          userId,
          template: 'batch-review',
          recipient: email,
          country,
          priority: 'high',
          variables: {
            firstName,
            rows: String(batch.rowCount),
            amount: amounts.join(', '),
            reference: batch.batchId,
          },
        },
        requestId,
      ),
    )
}
