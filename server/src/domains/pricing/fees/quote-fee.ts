import type { Caller } from '../../../lib/requests/access.ts'
import { pricePayment } from './price-payment.ts'
import type { Chargeable, Fee, FeeDeps } from './record.ts'

/** What a payment would cost if it were initiated now. */
export const quoteFee = (
  deps: Pick<FeeDeps, 'feeSchedules'>,
  caller: Caller,
  payment: Chargeable,
): Promise<Fee | null> => pricePayment(deps, caller.orgId, payment)
