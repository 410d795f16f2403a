import type { Tx } from '../../../kernel/db/database.ts'
import type { OldPayment, OldPayments } from './record.ts'
import { selectOldPayments } from './store.ts'

/** Payments that may be too old for the data of their people to be kept. */
export const listOldPayments = (tx: Tx, orgId: string, page: OldPayments): Promise<OldPayment[]> =>
  selectOldPayments(tx, orgId, page)
