import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { Chargeable, Fee, FeeDeps, FeeSchedule } from './record.ts'
import { selectSchedules } from './store.ts'
import { pricePayment } from './price-payment.ts'

/** The schedules that apply or applied to an organisation: its own and the general ones. */
export function listSchedules(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string | undefined },
): Promise<FeeSchedule[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => selectSchedules(tx, orgId))
}

/** What a payment would cost if it were initiated now. */
export const quoteFee = (
  deps: Pick<FeeDeps, 'feeSchedules'>,
  caller: Caller,
  payment: Chargeable,
): Promise<Fee | null> => pricePayment(deps, caller.orgId, payment)
