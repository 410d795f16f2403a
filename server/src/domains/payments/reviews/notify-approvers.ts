import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { noticeStatements } from '../../people/notifications/queue-notification.ts'
import { listAdministrators, listApprovers } from '../../people/organizations/members/reads.ts'
import type { Member } from '../../people/organizations/members/record.ts'
import type { Payment } from '../record.ts'

/** Notices for those who may give the first approval; statements for the transaction that writes the payment. */
export const announceReview = async (deps: { db: Database }, payment: Payment): Promise<CompiledQuery[]> =>
  noticesFor(payment, await listApprovers(deps, payment.orgId), [payment.userId])

/** Notices for those who may give the second approval. */
export const announceConfirmation = async (
  deps: { db: Database },
  payment: Payment,
  reviewerId: string,
): Promise<CompiledQuery[]> =>
  noticesFor(payment, await listAdministrators(deps, payment.orgId), [payment.userId, reviewerId])

function noticesFor(
  payment: Payment,
  members: readonly Member[],
  involvedIds: readonly string[],
): CompiledQuery[] {
  const { amountMinor, currency } = payment.source
  return members
    .filter(({ userId }) => !involvedIds.includes(userId))
    .flatMap(({ userId, email, firstName, country }) =>
      noticeStatements(
        payment.orgId,
        {
          userId,
          template: 'payment-review',
          recipient: email,
          country,
          priority: 'high',
          variables: {
            firstName,
            amount: `${formatMinor(amountMinor, currency)} ${currency}`,
            reference: payment.paymentId,
          },
        },
        payment.requestId,
      ),
    )
}
