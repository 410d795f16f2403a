import type { Caller } from '../../../lib/requests/access.ts'
import { listAccounts } from './list-accounts.ts'
import type { AccountDeps, AccountSummary } from './record.ts'

/** The providers that can be used and their webhook addresses, without the credentials. */
export async function listCredentials(
  deps: Pick<AccountDeps, 'db' | 'publicUrl' | 'webhookKey'>,
  caller: Caller,
): Promise<AccountSummary[]> {
  const accounts = await listAccounts(deps, caller)
  return accounts.filter(({ status }) => status === 'active')
}
