import type { Tx } from '../../db/database.ts'
import { findDisputedPayment } from '../disputes/find-open-dispute.ts'
import { findUnended } from '../payments/erasure/erase-details.ts'
import { onLegalHold, stillDisputed, stillOpen } from './errors.ts'
import { findHeld } from './holds/list-holds.ts'
import type { PersonRecords } from './record.ts'

/** Throws if something about the person must be kept, as the transaction sees it. */
export async function assertErasable(tx: Tx, orgId: string, records: PersonRecords): Promise<void> {
  const { paymentIds, beneficiaryIds } = records
  const held = await findHeld(tx, orgId, [...paymentIds, ...beneficiaryIds, orgId])
  if (held !== undefined) throw onLegalHold(held)
  const open = await findUnended(tx, orgId, paymentIds)
  if (open !== undefined) throw stillOpen(open)
  const disputed = await findDisputedPayment(tx, orgId, paymentIds)
  if (disputed !== undefined) throw stillDisputed(disputed)
}
