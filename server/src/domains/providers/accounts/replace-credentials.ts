import { isDeepStrictEqual } from 'node:util'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { MaybeHeld } from '../../people/change-requests/record.ts'
import { assertCredentials, namesOtherAccount } from './check-credentials.ts'
import { noSuchAccount, otherAccount } from './errors.ts'
import { getVisibleAccount } from './reads.ts'
import { openCredentials } from './open-credentials.ts'
import type { AccountDeps, AccountSummary, SealedAccount } from './record.ts'
import { inOwner, ownerOf } from './resolve-owner.ts'
import { sealContextOf } from './rules.ts'
import { findAccountAcrossOrgs } from './store.ts'
import { submitChange } from './submit-change.ts'

/** Replaces the keys of one account. Another merchant account is a new account, and never new keys. */
export async function replaceCredentials(
  deps: AccountDeps,
  caller: Caller,
  input: { accountId: string; credentials: Record<string, unknown> },
): Promise<MaybeHeld<AccountSummary>> {
  const { orgId } = await getVisibleAccount(deps, caller.orgId, input.accountId)
  const ownerId = ownerOf(caller, orgId === installationOrgId ? null : orgId)
  const account = await inOwner(deps.db, ownerId, (tx) => findAccountAcrossOrgs(tx, input.accountId))
  if (!account) throw noSuchAccount()
  return replaceKeysOf(deps, caller, account, input.credentials)
}

export async function replaceKeysOf(
  deps: AccountDeps,
  caller: Caller,
  account: SealedAccount,
  credentials: Record<string, unknown>,
): Promise<MaybeHeld<AccountSummary>> {
  const { orgId: ownerId, accountId, provider } = account
  assertCredentials(deps, caller, { provider, credentials })
  const former = await openCredentials(deps, account)
  const externalAccountId = (await deps.connectors.identify(provider, credentials)) ?? null
  // An account that was stored before its provider could be asked is identified by its former keys.
  const known = account.externalAccountId ?? (await deps.connectors.identify(provider, former)) ?? null
  const isOther = known !== null && externalAccountId !== null && known !== externalAccountId
  if (isOther || namesOtherAccount(provider, former, credentials)) throw otherAccount(provider)
  const isSame = isDeepStrictEqual(former, credentials)
  const isConfirmed = known !== null && known === externalAccountId
  const sealed = await deps.vault.seal(ownerId, sealContextOf(accountId), credentials)
  return submitChange(deps, caller, ownerId, {
    action: 'replace',
    accountId,
    provider,
    label: account.label,
    externalAccountId,
    sealedBase64: sealed.toString('base64'),
    keysChangedAt: isSame || isConfirmed ? null : (await deps.db.now()).toISOString(),
  })
}
