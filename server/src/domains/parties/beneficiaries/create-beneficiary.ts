import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { isMember } from '../../people/organizations/members/reads.ts'
import { checkName } from './check-name.ts'
import { screenSubjects } from '../../compliance/sanctions/matches/screen-subjects.ts'
import type {
  Beneficiary,
  NewBeneficiary,
  NameCheck,
  BeneficiaryDeps,
  BeneficiaryWriteDeps,
  NameCheckDeps,
} from './record.ts'
import { maskDetails, partiesOf } from './rules.ts'
import { insertBeneficiary } from './store.ts'

export const beneficiaryContext = (beneficiaryId: string): string => `beneficiary ${beneficiaryId}`

/** Whoever possibly matches a sanctions list is registered all the same: the payments wait, and people decide. */
export async function createBeneficiary(
  deps: BeneficiaryWriteDeps,
  caller: Caller,
  input: NewBeneficiary,
  nameAtBank?: string | null,
): Promise<Beneficiary> {
  const { orgId } = caller
  if (input.beneficiaryOf !== caller.userId) await assertMember(deps, orgId, input.beneficiaryOf)
  const beneficiaryId = newId()
  const context = beneficiaryContext(beneficiaryId)
  const detailsSealed = await deps.vault.seal(orgId, context, input.details, context)
  const screened = await screenSubjects(deps, orgId, partiesOf({ ...input, beneficiaryId }, nameAtBank))
  return deps.db.inOrg(orgId, async (tx) => {
    const row = await insertBeneficiary(tx, orgId, { ...input, beneficiaryId, detailsSealed })
    for (const statement of screened.statements) await tx.db.executeQuery(statement)
    const created = { ...row, details: input.details }
    await recordAudit(tx, caller, orgId, {
      action: 'beneficiary.create',
      resourceType: 'beneficiary',
      resourceId: beneficiaryId,
      after: auditView(created),
    })
    return created
  })
}

/** Checks the account holder's name before anything is written. */
export async function createCheckedBeneficiary(
  deps: BeneficiaryWriteDeps & NameCheckDeps,
  caller: Caller,
  input: NewBeneficiary,
): Promise<Beneficiary & { nameCheck: NameCheck }> {
  const nameCheck = await checkName(deps, caller.orgId, input)
  return { ...(await createBeneficiary(deps, caller, input, nameCheck.accountName)), nameCheck }
}

/** For the audit log: account numbers are masked, names and addresses are left out. */
export function auditView(beneficiary: Omit<Beneficiary, 'createdAt' | 'updatedAt'>): object {
  const { momo_details, bank_details } = maskDetails(beneficiary.details)
  const { account_name: _name, ...bank } = bank_details ?? {}
  return {
    account_type: beneficiary.accountType,
    country: beneficiary.country,
    currency: beneficiary.currency,
    momo_details,
    bank_details: bank_details && bank,
  }
}

/** Users of other organisations are treated like users that do not exist. */
async function assertMember(deps: BeneficiaryDeps, orgId: string, userId: string): Promise<void> {
  if (!(await isMember(deps, orgId, userId)))
    throw forbidden('user_id is not a member of your organisation. Leave it out to register it for yourself.')
}
