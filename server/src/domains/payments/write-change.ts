import type { CompiledQuery } from 'kysely'
import { insertTransfers } from '../../ledger/transfers.ts'
import { paidStatements } from '../payment-links/claim-link.ts'
import { recordEvents } from '../webhooks/publish-events.ts'
import type { NewEvent } from '../webhooks/record.ts'
import type { Payment } from './record.ts'
import { fundingStatements, type PaymentDeps } from './payment-deps.ts'
import { postingsFor } from './build-postings.ts'
import { updatePayment } from './store.ts'

/** The payment as it is now and all that goes with a change of its status: events, ledger, link, funding account. */
export function writeChange(
  deps: Pick<PaymentDeps, 'funding'>,
  before: Payment,
  written: Payment,
  events: NewEvent[],
): CompiledQuery[] {
  const { orgId } = written
  const postings = postingsFor(before.status, written)
  return [
    updatePayment(orgId, before.version, written),
    ...recordEvents(orgId, events),
    ...(postings.length > 0 ? [insertTransfers(orgId, postings)] : []),
    ...paidStatements(written, before.status),
    ...fundingStatements(deps, before.status, written),
  ]
}
