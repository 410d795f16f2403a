import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { egressProblem } from '../../../lib/net/egress-guard.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { forbiddenEndpointUrl, tooManyEndpoints } from './errors.ts'
import type { EventType } from './events.ts'
import type { RegisteredWebhook, WebhookDeps } from './record.ts'
import { newSecret, secretContext } from './rules.ts'
import { toWebhook } from './schema.ts'
import { countWebhooks, insertWebhook } from './store.ts'

const endpointsLimit = 50

export async function registerWebhook(
  deps: WebhookDeps,
  caller: Caller,
  input: { endpointUrl: string; events: EventType[] | null; description: string | null },
): Promise<RegisteredWebhook> {
  const problem = egressProblem(input.endpointUrl, deps.egressPolicy)
  if (problem !== undefined) throw forbiddenEndpointUrl(problem)
  const { orgId } = caller
  const webhookId = newId()
  const secret = newSecret()
  const secretSealed = await deps.vault.seal(orgId, secretContext(webhookId), secret)
  return deps.db.inOrg(orgId, async (tx) => {
    if ((await countWebhooks(tx, orgId)) >= endpointsLimit) throw tooManyEndpoints(endpointsLimit)
    const webhook = await insertWebhook(tx, orgId, { ...input, webhookId, secretSealed })
    await recordAudit(tx, caller, orgId, {
      action: 'webhook.register',
      resourceType: 'webhook',
      resourceId: webhookId,
      after: toWebhook(webhook),
    })
    return { webhook, secret }
  })
}
