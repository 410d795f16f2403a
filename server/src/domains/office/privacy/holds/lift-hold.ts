import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { HoldDeps, LegalHold } from './record.ts'
import { updateLifted } from './store.ts'

export async function liftHold(
  deps: HoldDeps,
  caller: Caller,
  { holdId }: { holdId: string },
): Promise<LegalHold> {
  const { orgId, userId } = caller
  return deps.db.inOrg(orgId, async (tx) => {
    const lifted = await updateLifted(tx, orgId, { holdId, by: userId, at: deps.clock.now() })
    if (!lifted) throw notFound('A legal hold in force')
    await recordAudit(tx, caller, orgId, {
      action: 'legal-hold.lift',
      resourceType: 'legal-hold',
      resourceId: holdId,
      after: { subject: lifted.subject, subject_id: lifted.subjectId },
    })
    return lifted
  })
}
