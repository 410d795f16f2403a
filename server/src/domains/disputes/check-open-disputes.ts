import type { Tx } from '../../db/database.ts'
import { hasOpenDisputeAtAcrossOrgs } from './store.ts'

/** Whether a dispute of any organisation is open at the provider account. */
export const hasOpenDisputeAt = (tx: Tx, accountId: string): Promise<boolean> =>
  hasOpenDisputeAtAcrossOrgs(tx, accountId)
