import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { auditView } from './create-beneficiary.ts'
import { inUse } from './errors.ts'
import { getBeneficiary } from './get-beneficiary.ts'
import type { BeneficiaryDeps } from './record.ts'
import { deleteBeneficiary, hasOpenPayment, lockBeneficiary, shareBeneficiary } from './store.ts'

/** Locked first: a payment that is being written shares the row, and is seen after its commit. */
export async function removeBeneficiary(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  caller: Caller,
  input: { beneficiaryId: string },
): Promise<void> {
  const { orgId } = caller
  const { beneficiaryId } = input
  const seen = await getBeneficiary(deps, orgId, input)
  await deps.db.inOrg(orgId, async (tx) => {
    if (!(await lockBeneficiary(tx, orgId, beneficiaryId))) throw notFound('The beneficiary')
    if (await hasOpenPayment(tx, orgId, beneficiaryId)) throw inUse()
    await deleteBeneficiary(tx, orgId, beneficiaryId)
    await recordAudit(tx, caller, orgId, {
      action: 'beneficiary.delete',
      resourceType: 'beneficiary',
      resourceId: beneficiaryId,
      before: auditView(seen),
    })
  })
}

/** A statement for the transaction that starts a payment to the beneficiary: it fails if that one is gone. */
export const lockBeneficiaryForPayment = shareBeneficiary
