import type { SubjectPage, SubjectRow } from '../../compliance/sanctions/runs/record.ts'
import { openBeneficiary } from './get-beneficiary.ts'
import type { BeneficiaryDeps } from './record.ts'
import { subjectsOf } from './rules.ts'
import { selectEveryBeneficiaryAcrossOrgs } from './store.ts'

/** Every beneficiary of every organisation, to be screened by a new list. */
export async function listBeneficiarySubjects(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  page: SubjectPage,
): Promise<SubjectRow[]> {
  const rows = await deps.db.acrossOrgs((tx) => selectEveryBeneficiaryAcrossOrgs(tx, page))
  return Promise.all(
    rows.map(async (row) => ({
      orgId: row.orgId,
      id: row.beneficiaryId,
      subjects: subjectsOf(await openBeneficiary(deps, row)),
    })),
  )
}
