import type { Tx } from '../../db/database.ts'
import { hasOpenLegAtAcrossOrgs } from './store.ts'

/** Whether a leg of any organisation is under way at the provider account. */
export const hasOpenLegAt = (tx: Tx, accountId: string): Promise<boolean> =>
  hasOpenLegAtAcrossOrgs(tx, accountId)
