import { enqueue } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { egressProblem } from '../../../lib/net/egress-guard.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { forbiddenEndpointUrl } from './errors.ts'
import type { EventType } from './events.ts'
import type { Webhook, WebhookDeps } from './record.ts'
import { webhookServiceName } from './rules.ts'
import { toWebhook } from './schema.ts'
import { findWebhook, updateWebhook } from './store.ts'

interface WebhookUpdate {
  webhookId: string
  endpointUrl?: string | undefined
  events?: EventType[] | null | undefined
  description?: string | null | undefined
  /** `paused` parks deliveries. `active` resumes them and also enables an endpoint that was disabled automatically. */
  status?: 'active' | 'paused' | undefined
}

export function changeWebhook(deps: WebhookDeps, caller: Caller, input: WebhookUpdate): Promise<Webhook> {
  const { orgId } = caller
  const { webhookId, endpointUrl, events, description, status } = input
  const problem = endpointUrl === undefined ? undefined : egressProblem(endpointUrl, deps.egressPolicy)
  if (problem !== undefined) throw forbiddenEndpointUrl(problem)
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
      await enqueue(tx, orgId, {
        service: webhookServiceName,
        handler: 'resume',
        payload: { orgId, webhookId },
      })
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
