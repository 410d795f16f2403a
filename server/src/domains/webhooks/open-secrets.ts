import type { SigningSecrets, Webhook, WebhookDeps } from './record.ts'
import { secretContext } from './rules.ts'

/** Decrypts the secrets for signing. No response shows them after the registration. */
export async function openSecrets(
  deps: Pick<WebhookDeps, 'vault' | 'clock'>,
  webhook: Pick<
    Webhook,
    'orgId' | 'webhookId' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
  >,
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
