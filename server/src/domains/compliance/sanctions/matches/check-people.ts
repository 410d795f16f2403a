import type { Tx } from '../../../../kernel/db/database.ts'
import { findHoldingMatch } from './store.ts'

/** Whether a match keeps a payment from being sent. It is no guard: the database refuses what would be sent. */
export const isHeldByMatch = async (
  tx: Tx,
  orgId: string,
  payment: { paymentId: string; beneficiaryId: string | null; leaves: boolean },
): Promise<boolean> => (await findHoldingMatch(tx, orgId, payment)) !== undefined
