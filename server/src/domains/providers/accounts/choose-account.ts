import type { Database } from '../../../kernel/db/database.ts'
import { conflict } from '../../../lib/errors.ts'
import { noSuchAccount } from './errors.ts'
import type { ProviderAccount } from './record.ts'
import { resolveAccount } from './rules.ts'
import { selectAccounts } from './store.ts'

/** The named account, else the organisation's only active one at the provider, else the installation's. */
export async function chooseAccount(
  deps: { db: Database },
  orgId: string,
  { provider, accountId }: { provider: string; accountId: string | undefined },
): Promise<ProviderAccount> {
  const accounts = await deps.db.inOrg(orgId, (tx) => selectAccounts(tx, orgId, { provider }))
  if (accountId !== undefined) {
    const named = accounts.find((account) => account.accountId === accountId)
    if (!named) throw noSuchAccount()
    return named
  }
  const used = resolveAccount(accounts, { orgId, provider, accountId: null })
  if ('reason' in used) throw conflict(`The provider cannot be chosen: ${used.reason}.`)
  return used.account
}
