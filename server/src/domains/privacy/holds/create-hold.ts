import type { Vault } from '../../../db/vault.ts'
import type { Caller } from '../../../lib/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../audit-log/record-audit.ts'
import { getBeneficiary } from '../../beneficiaries/get-beneficiary.ts'
import { loadPayment } from '../../payments/get-payment.ts'
import type { HeldSubject, HoldDeps, LegalHold } from './record.ts'
import { insertHold } from './store.ts'

export async function createHold(
  deps: HoldDeps & { vault: Vault },
  caller: Caller,
  input: { subject: HeldSubject; subjectId: string; reason: string },
): Promise<LegalHold> {
  const { orgId } = caller
  if (input.subject === 'payment') await loadPayment(deps, orgId, input.subjectId)
  else await getBeneficiary(deps, orgId, { beneficiaryId: input.subjectId })
  const hold: LegalHold = {
    ...input,
    orgId,
    holdId: newId(),
    placedBy: caller.userId,
    placedAt: deps.clock.now(),
    liftedBy: null,
    liftedAt: null,
  }
  await deps.db.inOrg(orgId, async (tx) => {
    await insertHold(tx, orgId, hold)
    await recordAudit(tx, caller, orgId, {
      action: 'legal-hold.create',
      resourceType: 'legal-hold',
      resourceId: hold.holdId,
      after: { subject: hold.subject, subject_id: hold.subjectId },
    })
  })
  return hold
}
