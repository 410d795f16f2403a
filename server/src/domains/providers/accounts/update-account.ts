import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { noSuchAccount } from './errors.ts'
import { getVisibleAccount, summaryOf } from './reads.ts'
import type { AccountDeps, AccountSummary, ProviderAccount } from './record.ts'
import { auditOrgOf, inOwner, ownerOf } from './resolve-owner.ts'
import { updateAccountRow } from './store.ts'

/** Renames an account, or retires it: then it starts nothing new. It remains usable for what it has carried. */
export async function updateAccount(
  deps: AccountDeps,
  caller: Caller,
  input: {
    accountId: string
    label?: string | undefined
    status?: ProviderAccount['status'] | undefined
  },
): Promise<AccountSummary> {
  const before = await getVisibleAccount(deps, caller.orgId, input.accountId)
  const ownerId = ownerOf(caller, before.orgId === installationOrgId ? null : before.orgId)
  const changed = await inOwner(deps.db, ownerId, async (tx) => {
    const after = await updateAccountRow(tx, ownerId, input)
    if (!after) throw noSuchAccount()
    await recordAudit(tx, caller, auditOrgOf(caller, ownerId), {
      action: 'provider-account.update',
      resourceType: 'provider-account',
      resourceId: input.accountId,
      before: { label: before.label, status: before.status },
      after: { label: after.label, status: after.status },
    })
    return after
  })
  deps.corridors.invalidate()
  return summaryOf(deps, changed)
}
