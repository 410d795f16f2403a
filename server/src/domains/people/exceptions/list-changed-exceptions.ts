import type { Tx } from '../../../kernel/db/database.ts'
import { selectChangedExceptions } from './store.ts'

/** In the caller's transaction. An exception has no version, so the time of its change takes its place. */
export async function listChangedExceptions(
  tx: Tx,
  orgId: string,
  range: { since: Date; limit: number },
): Promise<{ type: string; id: string; sequence: number }[]> {
  const rows = await selectChangedExceptions(tx, orgId, range)
  return rows.map(({ exceptionId, updatedAt }) => ({
    type: 'exception.updated',
    id: exceptionId,
    sequence: updatedAt.getTime(),
  }))
}
