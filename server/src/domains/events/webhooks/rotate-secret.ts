import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getWebhook } from './reads.ts'
import type { RegisteredWebhook, WebhookDeps } from './record.ts'
import { newSecret, secretContext, secretOverlapMs } from './rules.ts'
import { updateWebhook } from './store.ts'

/** Both secrets sign for a day, so that receivers can switch to the new one without rejecting events. */
export async function rotateSecret(
  deps: WebhookDeps,
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
