import type { Tx } from '../../../../kernel/db/database.ts'
import { selectNames } from './store.ts'

/** The names of those users who are members, by id, in the caller's transaction. Others have left or are payers. */
export const listNamesIn = async (
  tx: Tx,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> => {
  const distinct = [...new Set(userIds)]
  return distinct.length === 0 ? new Map() : selectNames(tx, orgId, distinct)
}
