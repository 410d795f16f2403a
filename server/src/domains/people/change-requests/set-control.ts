import type { Caller } from '../../../lib/requests/access.ts'
import { runStatements } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { conflict, forbidden } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import type { ChangeRequestDeps } from './record.ts'
import { isSwitchedOn, upsertControl } from './store.ts'

/** An organisation with one administrator may switch the control off; the operator is notified. */
export async function setChangeControl(
  deps: Pick<ChangeRequestDeps, 'db' | 'listAdministrators'>,
  caller: Caller,
  input: { orgId: string; enabled: boolean },
): Promise<boolean> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { enabled } = input
  if (caller.role !== 'org-admin' && caller.role !== 'platform-admin')
    throw forbidden('Change control is switched by an org-admin.')
  await deps.db.acrossOrgs(async (tx) => {
    const before = await isSwitchedOn(tx, orgId)
    if (before === enabled) return
    if (!enabled && (await deps.listAdministrators(tx, orgId)).length > 1)
      throw conflict(
        'The organisation has more than one administrator, so changes that weaken control need a second person.',
      )
    await upsertControl(tx, orgId, enabled)
    await recordAudit(tx, caller, orgId, {
      action: 'change-control.set',
      resourceType: 'change-control',
      resourceId: orgId,
      before: { enabled: before },
      after: { enabled },
    })
    if (!enabled) await runStatements(tx, [switchedOff(orgId, caller)])
  })
  return enabled
}

/** Belongs to the installation, so that the organisation cannot close it. */
const switchedOff = (orgId: string, { userId }: Caller) =>
  insertException(installationOrgId, {
    kind: 'change_control_off',
    paymentId: null,
    provider: null,
    findingKey: `change_control_off ${orgId}`,
    summary: `The only administrator (${userId}) of the organisation ${orgId} switched off change control: one person can now loosen its approval policies and give the permission to approve.`,
  })
