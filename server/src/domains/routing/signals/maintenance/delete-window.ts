import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { auditOrgOf, inOwner, ownerOf } from '../../../providers/accounts/resolve-owner.ts'
import { noSuchWindow } from './errors.ts'
import type { MaintenanceDeps } from './record.ts'
import { toWindow } from './schema.ts'
import { deleteWindowRow, findWindow } from './store.ts'

/** Deleting a window that is under way ends it. */
export async function deleteWindow(
  deps: MaintenanceDeps,
  caller: Caller,
  { windowId }: { windowId: string },
): Promise<void> {
  const found = await deps.db.inOrg(caller.orgId, (tx) => findWindow(tx, caller.orgId, windowId))
  if (!found) throw noSuchWindow()
  const orgId = ownerOf(caller, found.orgId === installationOrgId ? null : found.orgId)
  await inOwner(deps.db, orgId, async (tx) => {
    const deleted = await deleteWindowRow(tx, orgId, windowId)
    if (!deleted) throw noSuchWindow()
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'maintenance-window.delete',
      resourceType: 'maintenance-window',
      resourceId: windowId,
      before: toWindow(deleted),
    })
  })
  await deps.routingSignals.refresh()
}
