import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { auditView } from './create-beneficiary.ts'
import { inUse } from './errors.ts'
import { getBeneficiary } from './reads.ts'
import type { BeneficiaryDeps, PaymentCheck } from './record.ts'
import { deleteBeneficiaryRow, lockBeneficiary } from './store.ts'

/** Locks the row first, so that a payment being started is either visible here or finds no beneficiary. */
export async function deleteBeneficiary(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'> & { hasOpenPaymentTo: PaymentCheck },
  caller: Caller,
  input: { beneficiaryId: string },
): Promise<void> {
  const { orgId } = caller
  const { beneficiaryId } = input
  const seen = await getBeneficiary(deps, orgId, input)
  await deps.db.inOrg(orgId, async (tx) => {
    if (!(await lockBeneficiary(tx, orgId, beneficiaryId))) throw notFound('The beneficiary')
    if (await deps.hasOpenPaymentTo(tx, orgId, beneficiaryId)) throw inUse()
    await deleteBeneficiaryRow(tx, orgId, beneficiaryId)
    await recordAudit(tx, caller, orgId, {
      action: 'beneficiary.delete',
      resourceType: 'beneficiary',
      resourceId: beneficiaryId,
      before: auditView(seen),
    })
  })
}
