import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { getBeneficiary } from '../../../parties/beneficiaries/reads.ts'
import { loadPayment } from '../../../payments/reads/get-payment.ts'
import type { HeldSubject, HoldDeps, LegalHold } from './record.ts'
import { insertHold } from './store.ts'

export async function createHold(
  deps: HoldDeps & { vault: Vault },
  caller: Caller,
  input: { subject: HeldSubject; subjectId: string; reason: string },
): Promise<LegalHold> {
  const { orgId } = caller
  await assertSubject(deps, orgId, input)
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

/** A hold on the whole organisation names its own id. */
async function assertSubject(
  deps: HoldDeps & { vault: Vault },
  orgId: string,
  { subject, subjectId }: { subject: HeldSubject; subjectId: string },
): Promise<void> {
  if (subject === 'payment') await loadPayment(deps, orgId, subjectId)
  else if (subject === 'beneficiary') await getBeneficiary(deps, orgId, { beneficiaryId: subjectId })
  else if (subjectId !== orgId) throw notFound('The organisation')
}
