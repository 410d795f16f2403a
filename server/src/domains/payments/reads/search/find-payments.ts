import { toE164 } from '../../../../lib/instruments/phone.ts'
import { loadPayment } from '../get-payment.ts'
import { readDetails } from '../read-details.ts'
import type { SearchDeps } from './record.ts'
import { createTermHash, normaliseEmail, termsOf } from './rules.ts'
import { selectPaymentsWithTerm } from './store.ts'

/**
 * The payments whose payer or recipient has exactly this e-mail address or phone number, which must begin with the
 * code of its country. Each is opened and compared, because a hash alone is no reason to erase anything.
 */
export async function findPaymentsOf(
  deps: SearchDeps,
  orgId: string,
  { kind, value, limit }: { kind: 'email' | 'phone'; value: string; limit: number },
): Promise<string[]> {
  const text = kind === 'email' ? normaliseEmail(value) : (toE164(value, '') ?? value)
  const hash = createTermHash(deps.searchKey, orgId)
  const term = hash(kind, text)
  const ids = await deps.db.inOrg(orgId, (tx) => selectPaymentsWithTerm(tx, orgId, term, limit))
  const confirmed: string[] = []
  for (const paymentId of ids) {
    const { payment } = await loadPayment(deps, orgId, paymentId)
    if (payment.erasedAt) continue
    const details = await readDetails(deps, payment)
    // In a restored backup the details of an erased person are closed, and only the hash is left to go by.
    const isClosed = Object.keys(details).length === 0
    if (isClosed || termsOf(hash, payment.country, details).includes(term)) confirmed.push(paymentId)
  }
  return confirmed
}
