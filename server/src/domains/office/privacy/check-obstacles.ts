import type { Tx } from '../../../kernel/db/database.ts'
import { listDisputedPayments } from '../../after/disputes/reads.ts'
import { listRetainedSubjects } from '../../compliance/sanctions/matches/erase-matches.ts'
import { listUnended } from '../../payments/erasure/reads.ts'
import { onLegalHold, stillDisputed, stillOpen, stillScreened } from './errors.ts'
import { listHeld } from './holds/list-holds.ts'
import type { ErasureDeps, PersonRecords } from './record.ts'

type ObstacleDeps = Pick<ErasureDeps, 'retention'>

async function findObstacles(
  { retention }: ObstacleDeps,
  tx: Tx,
  orgId: string,
  { paymentIds, beneficiaryIds }: PersonRecords,
) {
  const subjectIds = [...paymentIds, ...beneficiaryIds]
  return {
    held: await listHeld(tx, orgId, [...subjectIds, orgId]),
    open: await listUnended(tx, orgId, paymentIds),
    disputed: await listDisputedPayments(tx, orgId, paymentIds),
    screened: await listRetainedSubjects(tx, orgId, { subjectIds, days: retention.screening }),
  }
}

/** Throws if a record about the person must be retained, as the transaction sees it. */
export async function assertErasable(
  deps: ObstacleDeps,
  tx: Tx,
  orgId: string,
  records: PersonRecords,
): Promise<void> {
  const { held, open, disputed, screened } = await findObstacles(deps, tx, orgId, records)
  if (held[0] !== undefined) throw onLegalHold(held[0])
  if (open[0] !== undefined) throw stillOpen(open[0])
  if (disputed[0] !== undefined) throw stillDisputed(disputed[0])
  if (screened[0] !== undefined) throw stillScreened(screened[0])
}

/** The records that must be retained: all of them, if the organisation itself is under a hold. */
export async function listObstructed(
  deps: ObstacleDeps,
  tx: Tx,
  orgId: string,
  records: PersonRecords,
): Promise<string[]> {
  const { held, open, disputed, screened } = await findObstacles(deps, tx, orgId, records)
  if (held.includes(orgId)) return [...records.paymentIds, ...records.beneficiaryIds]
  return [...held, ...open, ...disputed, ...screened]
}
