import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import { noticeStatements } from '../../people/notifications/queue-notification.ts'
import { listAdministrators, listApprovers } from '../../people/organizations/members/reads.ts'
import type { Member } from '../../people/organizations/members/record.ts'
import type { Payment } from '../record.ts'

/** Notices for those who may give the first approval; statements for the transaction that writes the payment. */
export const announceReview = async (deps: { db: Database }, payment: Payment): Promise<CompiledQuery[]> =>
  noticesFor(reviewed(payment), await listApprovers(deps, payment.orgId), [payment.userId])

/** Notices for those who may give the second approval. */
export const announceConfirmation = async (
  deps: { db: Database },
  payment: Payment,
  reviewerId: string,
): Promise<CompiledQuery[]> =>
  noticesFor(reviewed(payment), await listAdministrators(deps, payment.orgId), [payment.userId, reviewerId])

/** A payment or a refund that waits for approval. */
export interface Reviewed {
  template: 'payment-review' | 'refund-review'
  orgId: string
  amount: Money
  reference: string
  requestId: string
}

const reviewed = ({ orgId, source, paymentId, requestId }: Payment): Reviewed => ({
  template: 'payment-review',
  orgId,
  amount: source,
  reference: paymentId,
  requestId,
})

export function noticesFor(
  { template, orgId, amount, reference, requestId }: Reviewed,
  members: readonly Member[],
  involvedIds: readonly string[],
): CompiledQuery[] {
  return members
    .filter(({ userId }) => !involvedIds.includes(userId))
    .flatMap(({ userId, email, firstName, country }) =>
      noticeStatements(
        orgId,
        {
          userId,
          template,
          recipient: email,
          country,
          priority: 'high',
          variables: {
            firstName,
            amount: `${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency}`,
            reference,
          },
        },
        requestId,
      ),
    )
}
