import type { Tx } from '../../../../kernel/db/database.ts'
import { findHoldingMatch } from './store.ts'

/** Whether a match holds a payment. It is no guard: the database itself refuses to send the payment. */
export const isHeldByMatch = async (
  tx: Tx,
  orgId: string,
  payment: { paymentId: string; beneficiaryId: string | null; leaves: boolean },
): Promise<boolean> => (await findHoldingMatch(tx, orgId, payment)) !== undefined
