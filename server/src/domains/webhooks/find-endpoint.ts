import type { Tx } from '../../db/database.ts'
import { findWebhook, type Webhook } from './store.ts'

/** For a delivery, in the transaction that reads it. */
export const findEndpoint = (tx: Tx, orgId: string, webhookId: string): Promise<Webhook | undefined> =>
  findWebhook(tx, orgId, webhookId)
