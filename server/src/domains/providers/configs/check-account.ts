import { findConnector } from '../../../connectors/registry.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { listAccountsIn } from '../accounts/reads.ts'
import { inOwner } from '../accounts/resolve-owner.ts'
import { accountNotUsable, nameOneAccount, noSuchAccount } from './errors.ts'
import type { ProviderConfig } from './record.ts'

/** Refuses a configuration whose account is another owner's, another provider's, retired, or not unambiguous. */
export async function assertAccountFits(
  deps: { db: Database },
  ownerId: string,
  config: Pick<ProviderConfig, 'provider' | 'accountId'>,
): Promise<void> {
  if (!findConnector(config.provider)) {
    if (config.accountId !== null) throw accountNotUsable('This rail has no account at a provider.')
    return
  }
  const visible = await inOwner(deps.db, ownerId, (tx) => listAccountsIn(tx, ownerId))
  const atProvider = visible.filter(({ provider }) => provider === config.provider)
  if (config.accountId === null) {
    const own = atProvider.filter(({ orgId, status }) => orgId === ownerId && status === 'active')
    if (own.length > 1) throw nameOneAccount(config.provider)
    return
  }
  const named = atProvider.find(({ accountId }) => accountId === config.accountId)
  if (!named || (ownerId === installationOrgId && named.orgId !== installationOrgId)) throw noSuchAccount()
  if (named.status === 'retired') throw accountNotUsable('The account is retired.')
}
