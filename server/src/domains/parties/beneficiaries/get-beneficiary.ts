import { ErasedError } from '../../../kernel/db/vault.ts'
import { notFound } from '../../../lib/errors.ts'
import { beneficiaryContext } from './create-beneficiary.ts'
import type { BeneficiaryDetails, BeneficiaryRow, Beneficiary, BeneficiaryDeps } from './record.ts'
import { findBeneficiary } from './store.ts'

export async function getBeneficiary(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  orgId: string,
  input: { beneficiaryId: string },
): Promise<Beneficiary> {
  const row = await deps.db.inOrg(orgId, (tx) => findBeneficiary(tx, orgId, input.beneficiaryId))
  if (!row) throw notFound('The beneficiary')
  const opened = await openUnlessErased(deps, row)
  if (!opened) throw notFound('The beneficiary')
  return opened
}

export const openUnlessErased = (
  deps: Pick<BeneficiaryDeps, 'vault'>,
  row: BeneficiaryRow,
): Promise<Beneficiary | undefined> =>
  openBeneficiary(deps, row).catch((error: unknown) => {
    if (error instanceof ErasedError) return undefined
    throw error
  })

export async function openBeneficiary(
  deps: Pick<BeneficiaryDeps, 'vault'>,
  row: BeneficiaryRow,
): Promise<Beneficiary> {
  const opened = await deps.vault.open(row.orgId, beneficiaryContext(row.beneficiaryId), row.detailsSealed)
  return { ...row, details: opened as BeneficiaryDetails } // sealed by us from this type
}
