import type { Tx } from '../../../kernel/db/database.ts'
import { clearPrivate } from './store.ts'

/** Removes the payers' addresses; the links stay, for the payments that name them. */
export const eraseLinks = (tx: Tx, orgId: string, linkIds: readonly string[]): Promise<void> =>
  clearPrivate(tx, orgId, linkIds)
