import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { noSuchAccount, severalToCheck } from './errors.ts'
import type { AccountDeps, CheckedKeys, ProviderAccount } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from './resolve-owner.ts'
import { selectOwnAccounts } from './store.ts'

interface KeyCheck {
  provider: string
  orgId: string | null | undefined
  accountId: string | undefined
}

/** Asks the provider whether the stored keys work, and whose they are. It moves no money and changes no keys. */
export async function checkKeys(deps: AccountDeps, caller: Caller, input: KeyCheck): Promise<CheckedKeys> {
  const ownerId = ownerOf(caller, input.orgId)
  const accounts = await inOwner(deps.db, ownerId, (tx) => selectOwnAccounts(tx, ownerId, input.provider))
  const account = chosen(accounts, input)
  deps.limitKeyChecks(account.accountId)
  const probe = await deps.connectors.probe(account.accountId)
  if (!probe) throw notFound('The provider')
  const auditOrgId = auditOrgOf(caller, ownerId)
  await deps.db.batchInOrg(auditOrgId, [
    auditStatement(caller, auditOrgId, {
      action: 'provider-credentials.check',
      resourceType: 'provider-account',
      resourceId: account.accountId,
      after: { provider: account.provider, verdict: probe.verdict },
    }),
  ])
  return { account, probe, checkedAt: deps.clock.now() }
}

function chosen(accounts: readonly ProviderAccount[], { provider, accountId }: KeyCheck): ProviderAccount {
  if (accountId !== undefined) {
    const named = accounts.find((account) => account.accountId === accountId)
    if (!named) throw noSuchAccount()
    return named
  }
  const [only, ...others] = accounts.filter(({ status }) => status === 'active')
  if (!only) throw noSuchAccount()
  if (others.length > 0) throw severalToCheck(provider)
  return only
}
