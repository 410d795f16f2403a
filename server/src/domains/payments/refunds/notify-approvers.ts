import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { listAdministrators, listApprovers } from '../../people/organizations/members/reads.ts'
import { noticesFor, type Reviewed } from '../reviews/notify-approvers.ts'
import type { Refund } from './record.ts'

/** Notices for those who may give the first approval; statements for the transaction that writes the refund. */
export const announceRefund = async (
  deps: { db: Database },
  refund: Refund,
  caller: Caller,
): Promise<CompiledQuery[]> =>
  noticesFor(reviewed(refund, caller), await listApprovers(deps, refund.orgId), [refund.userId])

/** Notices for those who may give the second approval. */
export const announceSecondApproval = async (
  deps: { db: Database },
  refund: Refund,
  caller: Caller,
): Promise<CompiledQuery[]> =>
  noticesFor(reviewed(refund, caller), await listAdministrators(deps, refund.orgId), [
    refund.userId,
    caller.userId,
  ])

const reviewed = ({ orgId, refundId, amountMinor, currency }: Refund, { origin }: Caller): Reviewed => ({
  template: 'refund-review',
  orgId,
  amount: { amountMinor, currency },
  reference: refundId,
  requestId: origin.requestId,
})
