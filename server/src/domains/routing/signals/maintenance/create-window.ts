import type { Caller } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { listAccountsIn } from '../../../providers/accounts/reads.ts'
import { auditOrgOf, inOwner, ownerOf } from '../../../providers/accounts/resolve-owner.ts'
import { noSuchAccount, tooManyWindows, windowEnded } from './errors.ts'
import type { MaintenanceDeps, MaintenanceWindow } from './record.ts'
import { toWindow } from './schema.ts'
import { countWindows, insertWindow } from './store.ts'

const windowsPerAccount = 100

/** Whoever owns the account decides when it is in maintenance. */
export async function createWindow(
  deps: MaintenanceDeps,
  caller: Caller,
  input: Pick<MaintenanceWindow, 'accountId' | 'startsAt' | 'endsAt' | 'reason'>,
): Promise<MaintenanceWindow> {
  const now = deps.clock.now()
  if (input.endsAt <= now) throw windowEnded()
  const accounts = await deps.db.inOrg(caller.orgId, (tx) => listAccountsIn(tx, caller.orgId))
  const account = accounts.find(({ accountId }) => accountId === input.accountId)
  if (!account) throw noSuchAccount()
  const orgId = ownerOf(caller, account.orgId === installationOrgId ? null : account.orgId)
  const window = await inOwner(deps.db, orgId, async (tx) => {
    const { accountId, provider } = account
    if ((await countWindows(tx, orgId, { accountId, endsAfter: now })) >= windowsPerAccount)
      throw tooManyWindows(windowsPerAccount)
    const created = await insertWindow(tx, orgId, {
      ...input,
      windowId: newId(),
      provider,
      createdBy: caller.userId,
    })
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'maintenance-window.create',
      resourceType: 'maintenance-window',
      resourceId: created.windowId,
      after: toWindow(created),
    })
    return created
  })
  await deps.routingSignals.refresh()
  return window
}
