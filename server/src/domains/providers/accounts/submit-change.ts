import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeRequest, MaybeHeld } from '../../people/change-requests/record.ts'
import { changedMeanwhile, noSuchAccount } from './errors.ts'
import { summaryOf } from './reads.ts'
import type { AccountDeps, AccountSummary, ProviderAccount } from './record.ts'
import { auditOrgOf, inOwner } from './resolve-owner.ts'
import { insertAccount, lockAccounts, replaceKeys, selectOwnAccounts } from './store.ts'

/** A new account or other keys of one, ready to be written. The keys are sealed for the account already. */
const accountChange = z.object({
  action: z.enum(['add', 'add-first', 'replace']),
  accountId: z.uuid(),
  provider: z.string(),
  label: z.string(),
  externalAccountId: z.string().nullable(),
  sealedBase64: z.string(),
  /** Null when the keys are known to be of the same account as before. */
  keysChangedAt: z.iso.datetime().nullable(),
})
type AccountChange = z.infer<typeof accountChange>

/** Writes the change, or holds it until a second person of its owner has approved it. */
export async function submitChange(
  deps: AccountDeps,
  caller: Caller,
  ownerId: string,
  change: AccountChange,
): Promise<MaybeHeld<AccountSummary>> {
  const outcome = await inOwner(deps.db, ownerId, async (tx) => {
    const held = await holdChange(deps, tx, caller, ownerId, change)
    return held ? { held } : { done: await writeChange(tx, caller, ownerId, change) }
  })
  if (outcome.held) return outcome
  invalidateAccounts(deps)
  return { done: summaryOf(deps, outcome.done) }
}

function holdChange(
  deps: AccountDeps,
  tx: Tx,
  caller: Caller,
  ...[orgId, change]: [orgId: string, change: AccountChange]
): Promise<ChangeRequest | undefined> {
  const isInstallations = orgId === installationOrgId
  const owner = isInstallations ? 'the installation' : 'the organisation'
  const held = {
    orgId,
    kind: 'provider-credentials.store',
    payload: { action: change.action, provider: change.provider, account_id: change.accountId },
    secret: change,
    summary:
      change.action === 'replace'
        ? `New keys for the account of ${owner} at ${change.provider}.`
        : `A new account of ${owner} at ${change.provider}: ${change.label}.`,
  } as const
  if (!isInstallations) return deps.changeControl.hold(tx, caller, held)
  // Keys that leaked are replaced by one person at night, if they are known to be of the same account.
  const isSameAccount = change.action === 'replace' && change.keysChangedAt === null
  return isSameAccount ? Promise.resolve(undefined) : deps.changeControl.holdForOperators(tx, caller, held)
}

async function writeChange(
  tx: Tx,
  caller: Caller,
  ownerId: string,
  change: AccountChange,
): Promise<ProviderAccount> {
  const { action, accountId, provider, label, externalAccountId } = change
  const sealed = Buffer.from(change.sealedBase64, 'base64')
  if (action === 'add-first') {
    await lockAccounts(tx, ownerId, provider)
    if ((await selectOwnAccounts(tx, ownerId, provider)).length > 0) throw changedMeanwhile()
  }
  await recordAudit(tx, caller, auditOrgOf(caller, ownerId), {
    action: action === 'add' ? 'provider-account.add' : 'provider-credentials.store',
    resourceType: 'provider-account',
    resourceId: accountId,
    after: { provider, label, scope: ownerId === installationOrgId ? 'installation' : 'organisation' },
  })
  if (action !== 'replace')
    return insertAccount(tx, ownerId, {
      accountId,
      provider,
      label,
      externalAccountId,
      credentialsSealed: sealed,
    })
  const changedAt = change.keysChangedAt === null ? undefined : new Date(change.keysChangedAt)
  const changed = await replaceKeys(tx, ownerId, { accountId, sealed, externalAccountId, changedAt })
  if (!changed) throw noSuchAccount()
  return changed
}

const invalidateAccounts = (deps: Pick<AccountDeps, 'connectors' | 'corridors'>): void => {
  deps.connectors.invalidate()
  deps.corridors.invalidate()
}

export const accountApplier = (deps: Pick<AccountDeps, 'connectors' | 'corridors'>): ChangeApplier => ({
  async apply(tx, approver, { orgId, secret }) {
    await writeChange(tx, approver, orgId, accountChange.parse(secret))
  },
  applied: () => invalidateAccounts(deps),
})
