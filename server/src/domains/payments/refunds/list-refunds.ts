import type { Caller } from '../../../lib/access.ts'
import { loadPayment } from '../get-payment.ts'
import type { PaymentDeps } from '../payment-deps.ts'
import { selectRefunds, type Refund } from './store.ts'

export async function listRefunds(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<Refund[]> {
  await loadPayment(deps, caller.orgId, input.paymentId)
  return deps.db.inOrg(caller.orgId, (tx) => selectRefunds(tx, caller.orgId, input.paymentId))
}
