import type { Database } from '../../../kernel/db/database.ts'
import { enqueue } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { webhookServiceName } from './rules.ts'
import { toWebhook } from './schema.ts'
import { findWebhook, markWebhookDeleted } from './store.ts'

/** Hides the endpoint at once. The engine deletes its deliveries, which can be millions. */
export function removeWebhook(
  deps: { db: Database },
  caller: Caller,
  { webhookId }: { webhookId: string },
): Promise<void> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await findWebhook(tx, orgId, webhookId)
    if (!before) throw notFound('The webhook endpoint')
    await markWebhookDeleted(tx, orgId, webhookId)
    await enqueue(tx, orgId, {
      service: webhookServiceName,
      handler: 'remove',
      payload: { orgId, webhookId },
    })
    await recordAudit(tx, caller, orgId, {
      action: 'webhook.delete',
      resourceType: 'webhook',
      resourceId: webhookId,
      before: toWebhook(before),
    })
  })
}
