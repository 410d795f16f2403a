import { notFound } from '../../lib/errors.ts'
import { beneficiaryContext, type Beneficiary, type BeneficiaryDeps } from './create-beneficiary.ts'
import type { BeneficiaryDetails } from './rules.ts'
import { findBeneficiary, type BeneficiaryRow } from './store.ts'

export async function getBeneficiary(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  orgId: string,
  input: { beneficiaryId: string },
): Promise<Beneficiary> {
  const row = await deps.db.inOrg(orgId, (tx) => findBeneficiary(tx, orgId, input.beneficiaryId))
  if (!row) throw notFound('The beneficiary')
  return openBeneficiary(deps, row)
}

export async function openBeneficiary(
  deps: Pick<BeneficiaryDeps, 'vault'>,
  row: BeneficiaryRow,
): Promise<Beneficiary> {
  const opened = await deps.vault.open(row.orgId, beneficiaryContext(row.beneficiaryId), row.detailsSealed)
  return { ...row, details: opened as BeneficiaryDetails } // sealed by us from this type
}
