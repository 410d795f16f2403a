import { UnopenableError } from '../../../../kernel/db/vault.ts'
import { loadPayment } from '../get-payment.ts'
import { readTerms } from './record-terms.ts'
import type { SearchDeps, SearchTerm } from './record.ts'
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
  const terms = await readTerms(deps, payment).catch(noneIfClosed)
  return deps.db.inOrg(input.orgId, (tx) => deleteTerms(tx, input.orgId, terms))
}

/** An erasure that is repeated after its keys were destroyed has removed the terms already. */
function noneIfClosed(error: unknown): SearchTerm[] {
  if (error instanceof UnopenableError) return []
  throw error
}
