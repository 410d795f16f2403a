import { loadPayment } from '../get-payment.ts'
import { readTerms } from './record-terms.ts'
import type { SearchDeps } from './record.ts'
import { deleteTerms } from './store.ts'

/**
 * For the erasure of a person's data: afterwards no search by name, e-mail address or phone number finds the payment.
 * The terms derive from the sealed details, so it comes before those are erased.
 */
export async function removeTerms(
  deps: SearchDeps,
  input: { orgId: string; paymentId: string },
): Promise<number> {
  const { payment } = await loadPayment(deps, input.orgId, input.paymentId)
  const terms = await readTerms(deps, payment)
  return deps.db.inOrg(input.orgId, (tx) => deleteTerms(tx, input.orgId, terms))
}
