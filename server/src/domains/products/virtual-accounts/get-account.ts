import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { notFound } from '../../../lib/errors.ts'
import type { AccountDetails, VirtualAccount, OpenedVirtualAccount } from './record.ts'
import { accountContext } from './rules.ts'
import { findAccount } from './store.ts'

export async function getAccount(
  deps: { db: Database; vault: Vault },
  orgId: string,
  input: { accountId: string },
): Promise<OpenedVirtualAccount> {
  const found = await deps.db.inOrg(orgId, (tx) => findAccount(tx, orgId, input.accountId))
  if (!found) throw notFound('The virtual account')
  return openDetails(deps, found)
}

export async function openDetails(
  deps: { vault: Vault },
  account: VirtualAccount,
): Promise<OpenedVirtualAccount> {
  const { orgId, accountId, detailsSealed } = account
  const details = detailsSealed
    ? ((await deps.vault.open(orgId, accountContext(accountId), detailsSealed)) as AccountDetails) // sealed by us from this type
    : null
  return { ...account, details }
}
