import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import type { MaybeHeld } from '../../people/change-requests/record.ts'
import { assertCredentials } from './check-credentials.ts'
import type { AccountDeps, AccountSummary } from './record.ts'
import { ownerOf } from './resolve-owner.ts'
import { sealContextOf } from './rules.ts'
import { submitChange } from './submit-change.ts'

interface NewAccount {
  provider: string
  orgId: string | null | undefined
  label: string
  credentials: Record<string, unknown>
}

/** Adds a merchant account. Its keys are sealed and never shown again. */
export async function addAccount(
  deps: AccountDeps,
  caller: Caller,
  input: NewAccount,
): Promise<MaybeHeld<AccountSummary>> {
  assertCredentials(deps, caller, input)
  const ownerId = ownerOf(caller, input.orgId)
  const accountId = newId()
  const externalAccountId = (await deps.connectors.identify(input.provider, input.credentials)) ?? null
  const sealed = await deps.vault.seal(ownerId, sealContextOf(accountId), input.credentials)
  return submitChange(deps, caller, ownerId, {
    action: 'add',
    accountId,
    provider: input.provider,
    label: input.label,
    externalAccountId,
    sealedBase64: sealed.toString('base64'),
    keysChangedAt: null,
  })
}
