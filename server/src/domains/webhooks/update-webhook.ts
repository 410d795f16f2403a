import { enqueue, type Job } from '../../engine/outbox.ts'
import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { egressProblem } from '../../lib/egress-guard.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { refusedTarget } from './errors.ts'
import { webhookServiceName, type EventType } from './rules.ts'
import { toWebhook } from './schema.ts'
import { findWebhook, markWebhookDeleted, updateWebhook } from './store.ts'
import type { Webhook } from './record.ts'
import type { WebhookEndpointDeps } from './webhook-deps.ts'

export interface WebhookUpdate {
  webhookId: string
  endpointUrl?: string | undefined
  events?: EventType[] | null | undefined
  description?: string | null | undefined
  /** Paused keeps deliveries waiting; active lets them go on, also after an automatic disabling. */
  status?: 'active' | 'paused' | undefined
}

export function changeWebhook(
  deps: WebhookEndpointDeps,
  caller: Caller,
  input: WebhookUpdate,
): Promise<Webhook> {
  const { orgId } = caller
  const { webhookId, endpointUrl, events, description, status } = input
  const problem = endpointUrl === undefined ? undefined : egressProblem(endpointUrl, deps.egressPolicy)
  if (problem !== undefined) throw refusedTarget(problem)
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await findWebhook(tx, orgId, webhookId)
    const after = await updateWebhook(tx, orgId, webhookId, {
      ...(endpointUrl !== undefined && { endpointUrl }),
      ...(events !== undefined && { events }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(status === 'active' && { failingSince: null }),
    })
    if (!before || !after) throw notFound('The webhook endpoint')
    if (before.status === 'paused' && after.status === 'active')
      await enqueue(tx, orgId, jobOf('resume', after))
    await recordAudit(tx, caller, orgId, {
      action: 'webhook.update',
      resourceType: 'webhook',
      resourceId: webhookId,
      before: toWebhook(before),
      after: toWebhook(after),
    })
    return after
  })
}

const jobOf = (handler: 'resume' | 'remove', { orgId, webhookId }: Webhook): Job => ({
  service: webhookServiceName,
  handler,
  payload: { orgId, webhookId },
})

/** At once for everybody; the engine removes its deliveries, of which there may be very many. */
export function removeWebhook(
  deps: WebhookEndpointDeps,
  caller: Caller,
  input: { webhookId: string },
): Promise<void> {
  const { orgId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await findWebhook(tx, orgId, input.webhookId)
    if (!before) throw notFound('The webhook endpoint')
    await markWebhookDeleted(tx, orgId, input.webhookId)
    await enqueue(tx, orgId, jobOf('remove', before))
    await recordAudit(tx, caller, orgId, {
      action: 'webhook.delete',
      resourceType: 'webhook',
      resourceId: input.webhookId,
      before: toWebhook(before),
    })
  })
}
