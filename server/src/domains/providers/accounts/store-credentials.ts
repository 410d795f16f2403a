import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import type { MaybeHeld } from '../../people/change-requests/record.ts'
import { assertCredentials } from './check-credentials.ts'
import { severalAccounts } from './errors.ts'
import type { AccountDeps, AccountSummary } from './record.ts'
import { replaceKeysOf } from './replace-credentials.ts'
import { inOwner, ownerOf } from './resolve-owner.ts'
import { sealContextOf } from './rules.ts'
import { selectOwnAccounts } from './store.ts'
import { submitChange } from './submit-change.ts'

interface Credentials {
  provider: string
  orgId: string | null | undefined
  credentials: Record<string, unknown>
}

/** Replaces the keys of the owner's only account at the provider, or creates its first one. */
export async function storeCredentials(
  deps: AccountDeps,
  caller: Caller,
  input: Credentials,
): Promise<MaybeHeld<AccountSummary>> {
  assertCredentials(deps, caller, input)
  const ownerId = ownerOf(caller, input.orgId)
  const [account, ...others] = await inOwner(deps.db, ownerId, (tx) =>
    selectOwnAccounts(tx, ownerId, input.provider),
  )
  if (others.length > 0) throw severalAccounts(input.provider)
  return account
    ? replaceKeysOf(deps, caller, account, input.credentials)
    : createFirst(deps, caller, ownerId, input)
}

async function createFirst(
  deps: AccountDeps,
  caller: Caller,
  ownerId: string,
  { provider, credentials }: Credentials,
): Promise<MaybeHeld<AccountSummary>> {
  const accountId = newId()
  const externalAccountId = (await deps.connectors.identify(provider, credentials)) ?? null
  const sealed = await deps.vault.seal(ownerId, sealContextOf(accountId), credentials)
  return submitChange(deps, caller, ownerId, {
    action: 'add-first',
    accountId,
    provider,
    label: provider,
    externalAccountId,
    sealedBase64: sealed.toString('base64'),
    keysChangedAt: null,
  })
}
