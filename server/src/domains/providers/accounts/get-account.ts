import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { noSuchAccount } from './errors.ts'
import { summaryOf } from './list-accounts.ts'
import type { AccountDeps, AccountSummary, ProviderAccount } from './record.ts'
import { selectAccounts } from './store.ts'

export async function getAccount(
  deps: Pick<AccountDeps, 'db' | 'publicUrl' | 'webhookKey'>,
  caller: Caller,
  input: { accountId: string },
): Promise<AccountSummary> {
  return summaryOf(deps, await getVisibleAccount(deps, caller.orgId, input.accountId))
}

/** An account of the organisation or of the installation. */
export async function getVisibleAccount(
  deps: { db: Database },
  orgId: string,
  accountId: string,
): Promise<ProviderAccount> {
  const accounts = await deps.db.inOrg(orgId, (tx) => selectAccounts(tx, orgId))
  const found = accounts.find((account) => account.accountId === accountId)
  if (!found) throw noSuchAccount()
  return found
}
