import type { Database } from '../../../kernel/db/database.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ProviderAccount } from './record.ts'
import { readWebhookToken } from './rules.ts'
import { findAccountAcrossOrgs, findOldestAccountAcrossOrgs } from './store.ts'

/** The account that a provider's webhook address belongs to; undefined if the address is not one of ours. */
export async function findWebhookAccount(
  deps: { db: Database; webhookKey: KeyRing },
  input: { provider: string; token: string },
): Promise<ProviderAccount | undefined> {
  const named = readWebhookToken(deps.webhookKey, input.token, input.provider)
  if (!named) return undefined
  const account = await deps.db.acrossOrgs((tx) =>
    'accountId' in named
      ? findAccountAcrossOrgs(tx, named.accountId)
      : findOldestAccountAcrossOrgs(tx, named.ownerId, input.provider),
  )
  return account?.provider === input.provider ? account : undefined
}
