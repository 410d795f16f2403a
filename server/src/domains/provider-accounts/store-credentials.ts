import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { assertCredentials } from './check-credentials.ts'
import { changedMeanwhile, severalAccounts } from './errors.ts'
import { summaryOf } from './list-accounts.ts'
import type { AccountDeps, AccountSummary } from './record.ts'
import { replaceKeysOf } from './replace-credentials.ts'
import { auditOrgOf, inOwner, ownerOf } from './resolve-owner.ts'
import { sealContextOf } from './rules.ts'
import { insertAccount, lockAccounts, selectOwnAccounts } from './store.ts'

interface Credentials {
  provider: string
  orgId: string | null | undefined
  credentials: Record<string, unknown>
}

/** Replaces the keys of the owner's only account at the provider, or creates its first one. */
export async function storeCredentials(
  deps: AccountDeps,
  caller: Caller,
  input: Credentials,
): Promise<AccountSummary> {
  assertCredentials(deps, caller, input)
  const ownerId = ownerOf(caller, input.orgId)
  const [account, ...others] = await inOwner(deps.db, ownerId, (tx) =>
    selectOwnAccounts(tx, ownerId, input.provider),
  )
  if (others.length > 0) throw severalAccounts(input.provider)
  return account
    ? replaceKeysOf(deps, caller, account, input.credentials)
    : createFirst(deps, caller, ownerId, input)
}

async function createFirst(
  deps: AccountDeps,
  caller: Caller,
  ownerId: string,
  { provider, credentials }: Credentials,
): Promise<AccountSummary> {
  const accountId = newId()
  const sealContext = sealContextOf(accountId)
  const externalAccountId = (await deps.connectors.identify(provider, credentials)) ?? null
  const credentialsSealed = await deps.vault.seal(ownerId, sealContext, credentials)
  const created = await inOwner(deps.db, ownerId, async (tx) => {
    await lockAccounts(tx, ownerId, provider)
    if ((await selectOwnAccounts(tx, ownerId, provider)).length > 0) throw changedMeanwhile()
    await recordAudit(tx, caller, auditOrgOf(caller, ownerId), {
      action: 'provider-credentials.store',
      resourceType: 'provider-account',
      resourceId: accountId,
      after: { provider, scope: ownerId === installationOrgId ? 'installation' : 'organisation' },
    })
    const label = provider
    return insertAccount(tx, ownerId, {
      accountId,
      provider,
      label,
      externalAccountId,
      credentialsSealed,
      sealContext,
    })
  })
  deps.corridors.forget()
  return summaryOf(deps, created)
}
