import type { Tx } from '../../../kernel/db/database.ts'
import { selectRecentEvents } from './deliveries/store.ts'

/** In the caller's transaction: which resources have events since then, without the events' data. */
export const listRecentEvents = (
  tx: Tx,
  orgId: string,
  range: { since: Date; limit: number },
): Promise<{ type: string; id: string; sequence: number }[]> => selectRecentEvents(tx, orgId, range)
