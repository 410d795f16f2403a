import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { assertCredentials } from './check-credentials.ts'
import { summaryOf } from './list-accounts.ts'
import type { AccountDeps, AccountSummary } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from './resolve-owner.ts'
import { sealContextOf } from './rules.ts'
import { insertAccount } from './store.ts'

interface NewAccount {
  provider: string
  orgId: string | null | undefined
  label: string
  credentials: Record<string, unknown>
}

/** Adds a merchant account. Its keys are sealed and never shown again. */
export async function addAccount(
  deps: AccountDeps,
  caller: Caller,
  input: NewAccount,
): Promise<AccountSummary> {
  assertCredentials(deps, caller, input)
  const ownerId = ownerOf(caller, input.orgId)
  const accountId = newId()
  const sealContext = sealContextOf(accountId)
  const externalAccountId = (await deps.connectors.identify(input.provider, input.credentials)) ?? null
  const credentialsSealed = await deps.vault.seal(ownerId, sealContext, input.credentials)
  const { provider, label } = input
  const created = await inOwner(deps.db, ownerId, async (tx) => {
    await recordAudit(tx, caller, auditOrgOf(caller, ownerId), {
      action: 'provider-account.add',
      resourceType: 'provider-account',
      resourceId: accountId,
      after: { provider, label, scope: ownerId === installationOrgId ? 'installation' : 'organisation' },
    })
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
