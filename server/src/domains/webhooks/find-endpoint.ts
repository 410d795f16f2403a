import type { Database } from '../../db/database.ts'
import { findWebhook, type Webhook } from './store.ts'

export const findEndpoint = (
  deps: { db: Database },
  orgId: string,
  webhookId: string,
): Promise<Webhook | undefined> => deps.db.inOrg(orgId, (tx) => findWebhook(tx, orgId, webhookId))
