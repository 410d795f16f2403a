import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { chooseAccount } from './choose-account.ts'
import type { SealedAccount } from './record.ts'
import { sealContextOf } from './rules.ts'
import { findAccountAcrossOrgs } from './store.ts'

/** Decrypts the keys of an account. Never store the result. */
export const openCredentials = async (deps: { vault: Vault }, account: SealedAccount): Promise<unknown> =>
  account.credentialsSealed === null
    ? {}
    : deps.vault.open(account.orgId, sealContextOf(account.accountId), account.credentialsSealed)

/** The organisation's only active account at the provider, else the installation's, with its keys. */
export async function openChosenAccount(
  deps: { db: Database; vault: Vault },
  orgId: string,
  provider: string,
): Promise<{ account: SealedAccount; credentials: unknown }> {
  const { accountId } = await chooseAccount(deps, orgId, { provider, accountId: undefined })
  const account = await deps.db.acrossOrgs((tx) => findAccountAcrossOrgs(tx, accountId))
  if (!account) throw new Error('the provider account no longer exists')
  return { account, credentials: await openCredentials(deps, account) }
}
