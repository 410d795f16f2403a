import type { Cache } from '../../../lib/flow/bounded-cache.ts'
import type { SigningSecrets, Webhook, WebhookDeps } from './record.ts'
import { secretContext } from './rules.ts'

type SealedSecrets = Pick<
  Webhook,
  'orgId' | 'webhookId' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
>

type Deps = Pick<WebhookDeps, 'vault' | 'clock'> & { openedSecrets: Cache<SigningSecrets> }

/** Decrypts the secrets for signing. No response shows them after the registration. */
export function openSecrets(deps: Deps, webhook: SealedSecrets): Promise<SigningSecrets> {
  const { webhookId, secretSealed, previousSecretSealed, previousSecretUntil } = webhook
  const overlaps = previousSecretUntil !== null && previousSecretUntil > deps.clock.now()
  const previous = overlaps ? previousSecretSealed : null
  const key = `${webhookId} ${secretSealed.toString('base64')} ${previous?.toString('base64') ?? ''}`
  return deps.openedSecrets.get(key, async () => ({
    current: await openOne(deps, webhook, secretSealed),
    previous: previous ? await openOne(deps, webhook, previous) : undefined,
  }))
}

const openOne = async (deps: Deps, { orgId, webhookId }: SealedSecrets, sealed: Buffer): Promise<string> =>
  String(await deps.vault.open(orgId, secretContext(webhookId), sealed))
