import type { Tx } from '../../../kernel/db/database.ts'
import { listDisputedPayments } from '../../after/disputes/reads.ts'
import { listUnended } from '../../payments/erasure/reads.ts'
import { onLegalHold, stillDisputed, stillOpen } from './errors.ts'
import { listHeld } from './holds/list-holds.ts'
import type { PersonRecords } from './record.ts'

async function findObstacles(tx: Tx, orgId: string, { paymentIds, beneficiaryIds }: PersonRecords) {
  return {
    held: await listHeld(tx, orgId, [...paymentIds, ...beneficiaryIds, orgId]),
    open: await listUnended(tx, orgId, paymentIds),
    disputed: await listDisputedPayments(tx, orgId, paymentIds),
  }
}

/** Throws if a record about the person must be retained, as the transaction sees it. */
export async function assertErasable(tx: Tx, orgId: string, records: PersonRecords): Promise<void> {
  const { held, open, disputed } = await findObstacles(tx, orgId, records)
  if (held[0] !== undefined) throw onLegalHold(held[0])
  if (open[0] !== undefined) throw stillOpen(open[0])
  if (disputed[0] !== undefined) throw stillDisputed(disputed[0])
}

/** The records that must be retained: all of them, if the organisation itself is under a hold. */
export async function listObstructed(tx: Tx, orgId: string, records: PersonRecords): Promise<string[]> {
  const { held, open, disputed } = await findObstacles(tx, orgId, records)
  if (held.includes(orgId)) return [...records.paymentIds, ...records.beneficiaryIds]
  return [...held, ...open, ...disputed]
}
