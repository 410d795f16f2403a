import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { getWebhook } from './get-webhook.ts'
import type { RegisteredWebhook } from './register-webhook.ts'
import { newSecret, secretOverlapMs } from './rules.ts'
import { updateWebhook } from './store.ts'
import { secretContext, type WebhookEndpointDeps } from './webhook-deps.ts'

/** The old secret signs beside the new one for a day, so that receivers can change over without a gap. */
export async function rotateSecret(
  deps: WebhookEndpointDeps,
  caller: Caller,
  input: { webhookId: string },
): Promise<RegisteredWebhook> {
  const { orgId } = caller
  const before = await getWebhook(deps, caller, input)
  const secret = newSecret()
  const secretSealed = await deps.vault.seal(orgId, secretContext(input.webhookId), secret)
  return deps.db.inOrg(orgId, async (tx) => {
    const webhook = await updateWebhook(tx, orgId, input.webhookId, {
      secretSealed,
      previousSecretSealed: before.secretSealed,
      previousSecretUntil: new Date(deps.clock.now().getTime() + secretOverlapMs),
    })
    if (!webhook) throw notFound('The webhook endpoint')
    await recordAudit(tx, caller, orgId, {
      action: 'webhook.rotate-secret',
      resourceType: 'webhook',
      resourceId: input.webhookId,
    })
    return { webhook, secret }
  })
}
