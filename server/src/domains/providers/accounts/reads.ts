import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { noSuchAccount } from './errors.ts'
import type { AccountDeps, AccountSummary, ProviderAccount } from './record.ts'
import { findAccountAcrossOrgs, selectAccounts } from './store.ts'
import { readWebhookToken, webhookUrlOf } from './rules.ts'

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

/** The providers that can be used and their webhook addresses, without the credentials. */
export async function listCredentials(
  deps: Pick<AccountDeps, 'db' | 'publicUrl' | 'webhookKey'>,
  caller: Caller,
): Promise<AccountSummary[]> {
  const accounts = await listAccounts(deps, caller)
  return accounts.filter(({ status }) => status === 'active')
}

/** An account of the organisation or of the installation, in the caller's transaction. */
export const findAccountIn = async (
  tx: Tx,
  orgId: string,
  wanted: { provider: string; accountId: string },
): Promise<ProviderAccount | undefined> =>
  (await selectAccounts(tx, orgId, { provider: wanted.provider })).find(
    ({ accountId }) => accountId === wanted.accountId,
  )

/** Of any owner, for the operator. */
export const findAnyAccountAcrossOrgs = async (
  tx: Tx,
  accountId: string,
): Promise<Pick<ProviderAccount, 'orgId' | 'accountId'> | undefined> => findAccountAcrossOrgs(tx, accountId)

/** The account that a provider's webhook address belongs to; undefined if the address is not one of ours. */
export async function findWebhookAccount(
  deps: { db: Database; webhookKey: KeyRing },
  input: { provider: string; token: string },
): Promise<ProviderAccount | undefined> {
  const accountId = readWebhookToken(deps.webhookKey, input.token, input.provider)
  if (accountId === undefined) return undefined
  const account = await deps.db.acrossOrgs((tx) => findAccountAcrossOrgs(tx, accountId))
  return account?.provider === input.provider ? account : undefined
}
