import type { CompiledQuery } from 'kysely'
import { assertCovered } from '../../../ledger/available.ts'
import {
  account,
  captured,
  held,
  insertTransfers,
  posted,
  released,
  type Transfer,
} from '../../../ledger/transfers.ts'
import type { Refund } from './record.ts'

const refundHold = (refund: Refund): Transfer =>
  held({
    causeId: refund.refundId,
    kind: 'refund',
    debit: account.available,
    credit: account.provider(refund.provider),
    currency: refund.currency,
    amountMinor: refund.amountMinor,
  })

/** Writes the hold of a refund; fails the batch when the organisation's balance does not cover it. */
export const refundHoldStatements = (refund: Refund): CompiledQuery[] => [
  insertTransfers(refund.orgId, [refundHold(refund)]),
  assertCovered(refund.orgId, { account: account.available, currency: refund.currency }),
]

/** What is posted when a refund ends. */
export function refundPostings(refund: Refund): Transfer[] {
  const hold = refundHold(refund)
  if (refund.state === 'completed') return [refund.isHeld ? captured(hold) : posted(hold)]
  return refund.state === 'failed' && refund.isHeld ? [released(hold)] : []
}
