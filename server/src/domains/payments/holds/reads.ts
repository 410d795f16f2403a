import type { Database } from '../../../kernel/db/database.ts'
import { isHeldByMatch } from '../../compliance/sanctions/matches/check-people.ts'
import { isSendingHeldBack } from '../../compliance/suspensions/reads.ts'
import type { HeldPayment, SanctionsMatch } from '../../compliance/sanctions/matches/record.ts'
import type { LoadedPayment } from '../record.ts'
import { isOpen } from '../lifecycle/rules.ts'
import { selectHeld } from './store.ts'

/**
 * Whether the payment is due and is held by a sanctions match or a suspension. The reason is not disclosed, because the
 * people concerned may read it. A ramp, which has legs, is refused instead of held.
 */
export async function isOnHold(
  deps: { db: Database },
  { payment, attempts }: LoadedPayment,
): Promise<boolean> {
  const { orgId, status, direction } = payment
  const isDue = direction !== 'external' && (status === 'confirmed' || status === 'processing')
  if (!isDue || attempts.some(({ state }) => isOpen(state))) return false
  const leaves = direction !== 'inbound'
  if (await deps.db.inOrg(orgId, (tx) => isHeldByMatch(tx, orgId, { ...payment, leaves }))) return true
  return leaves && isSendingHeldBack(deps, orgId, { accountId: null })
}

/** The payments that an open match holds, the oldest first. */
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
