import type { Database } from '../../../kernel/db/database.ts'
import type { Quote } from './record.ts'
import { findQuote } from './store.ts'

export const getQuote = (
  deps: { db: Database },
  orgId: string,
  orgRateId: string,
): Promise<Quote | undefined> => deps.db.inOrg(orgId, (tx) => findQuote(tx, orgId, orgRateId))
