import type { SigningSecrets } from './rules.ts'
import type { Webhook } from './record.ts'
import { secretContext, type WebhookEndpointDeps } from './webhook-deps.ts'

/** For signing alone; no endpoint ever shows them again. */
export async function openSecrets(
  deps: Pick<WebhookEndpointDeps, 'vault' | 'clock'>,
  webhook: Webhook,
): Promise<SigningSecrets> {
  const openOne = async (sealed: Buffer): Promise<string> =>
    String(await deps.vault.open(webhook.orgId, secretContext(webhook.webhookId), sealed))
  const overlaps = webhook.previousSecretUntil !== null && webhook.previousSecretUntil > deps.clock.now()
  return {
    current: await openOne(webhook.secretSealed),
    previous:
      overlaps && webhook.previousSecretSealed ? await openOne(webhook.previousSecretSealed) : undefined,
  }
}
