import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { AccountDeps, AccountSummary, ProviderAccount } from './record.ts'
import { webhookUrlOf } from './rules.ts'
import { selectAccounts } from './store.ts'

/** The accounts of the organisation and of the installation, without their keys. */
export async function listAccounts(
  deps: Pick<AccountDeps, 'db' | 'publicUrl' | 'webhookKey'>,
  caller: Caller,
  filter: { provider?: string | undefined } = {},
): Promise<AccountSummary[]> {
  const accounts = await deps.db.inOrg(caller.orgId, (tx) => selectAccounts(tx, caller.orgId, filter))
  return accounts.map((account) => summaryOf(deps, account))
}

/** In the caller's transaction. */
export const listAccountsIn = (tx: Tx, orgId: string): Promise<ProviderAccount[]> => selectAccounts(tx, orgId)

export const summaryOf = (
  deps: Pick<AccountDeps, 'publicUrl' | 'webhookKey'>,
  account: ProviderAccount,
): AccountSummary => ({ ...account, webhookUrl: webhookUrlOf(deps, account) })
