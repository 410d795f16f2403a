import type { Database } from '../../../kernel/db/database.ts'
import type { HeldPayment, SanctionsMatch } from '../../compliance/sanctions/matches/record.ts'
import { selectHeld } from './store.ts'

/** What an open match keeps from being sent, the oldest first. */
export async function listHeldPayments(
  deps: { db: Database },
  { orgId, subjectKind, subjectId }: Pick<SanctionsMatch, 'orgId' | 'subjectKind' | 'subjectId'>,
  limit: number,
): Promise<HeldPayment[]> {
  const rows = await deps.db.inOrg(orgId, (tx) =>
    selectHeld(tx, orgId, { kind: subjectKind, subjectId, limit }),
  )
  return rows.map(({ amountMinor, currency, ...row }) => ({
    ...row,
    amount: { amountMinor: BigInt(amountMinor), currency },
  }))
}
