import type { Caller } from '../../../lib/access.ts'
import { loadPayment } from '../get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import type { Refund } from './record.ts'
import { selectRefunds } from './store.ts'

export async function listRefunds(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<Refund[]> {
  await loadPayment(deps, caller.orgId, input.paymentId)
  return deps.db.inOrg(caller.orgId, (tx) => selectRefunds(tx, caller.orgId, input.paymentId))
}
