import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { noticeStatements } from '../../people/notifications/queue-notification.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { listAdministrators, listApprovers } from '../../people/organizations/members/reads.ts'
import type { Member } from '../../people/organizations/members/record.ts'
import type { Batch } from './record.ts'

/** Notices for those who may give the first approval; statements for the transaction that writes the batch. */
export const announceBatch = async (
  deps: { db: Database },
  batch: Batch,
  requestId: string,
): Promise<CompiledQuery[]> =>
  noticesFor(batch, await listApprovers(deps, batch.orgId), { requestId, involvedIds: [batch.createdBy] })

/** Notices for those who may give the second approval; none if it is being given. */
export const announceSecondApproval = async (
  deps: { db: Database },
  batch: Batch,
  { userId, origin }: Caller,
): Promise<CompiledQuery[]> =>
  batch.reviewedBy === null
    ? noticesFor(batch, await listAdministrators(deps, batch.orgId), {
        requestId: origin.requestId,
        involvedIds: [batch.createdBy, userId],
      })
    : []

function noticesFor(
  batch: Batch,
  members: readonly Member[],
  { requestId, involvedIds }: { requestId: string; involvedIds: readonly string[] },
): CompiledQuery[] {
  const amounts = batch.totals.map(
    ({ currency, amountMinor }) => `${formatMinor(amountMinor, currency)} ${currency}`,
  )
  return members
    .filter(({ userId }) => !involvedIds.includes(userId))
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
