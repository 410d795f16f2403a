import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { webhookServiceName } from './rules.ts'
import { selectDeletedWebhooksAcrossOrgs } from './store.ts'

/** Enqueues the removal of every deleted endpoint. requeueDeliveries covers resumptions that were interrupted. */
export const requeueRemovals = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; webhookId: string }>(deps.db, {
    read: (tx, after, limit) => selectDeletedWebhooksAcrossOrgs(tx, after?.webhookId, limit),
    jobOf: ({ orgId, webhookId }) => ({
      orgId,
      service: webhookServiceName,
      handler: 'remove',
      payload: { orgId, webhookId },
    }),
  })
