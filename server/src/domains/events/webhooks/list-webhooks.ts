import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Webhook } from './record.ts'
import { selectWebhooks } from './store.ts'

export const listWebhooks = (deps: { db: Database }, caller: Caller): Promise<Webhook[]> =>
  deps.db.inOrg(caller.orgId, (tx) => selectWebhooks(tx, caller.orgId))
