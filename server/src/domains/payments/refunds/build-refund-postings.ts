import type { CompiledQuery } from 'kysely'
import { guardStatements } from '../build-postings.ts'
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
    debit: account.available(refund.custody),
    credit: account.provider(refund.provider, refund.accountId),
    currency: refund.currency,
    amountMinor: refund.amountMinor,
  })

/** Writes the hold of a refund; fails the batch when the pooled balance does not cover it. */
export function refundHoldStatements(refund: Refund): CompiledQuery[] {
  const hold = refundHold(refund)
  return [insertTransfers(refund.orgId, [hold]), ...guardStatements(refund, hold)]
}

/** What is posted when a refund ends. */
export function refundPostings(refund: Refund): Transfer[] {
  const hold = refundHold(refund)
  if (refund.state === 'completed') return [refund.isHeld ? captured(hold) : posted(hold)]
  return refund.state === 'failed' && refund.isHeld ? [released(hold)] : []
}
