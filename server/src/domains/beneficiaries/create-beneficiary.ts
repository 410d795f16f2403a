import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { forbidden } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { isMember } from '../organizations/get-member.ts'
import { maskDetails, type BeneficiaryDetails } from './rules.ts'
import { insertBeneficiary, type BeneficiaryRow } from './store.ts'

export interface BeneficiaryDeps {
  db: Database
  vault: Vault
  cursorKey: Buffer
}

export interface Beneficiary extends Omit<BeneficiaryRow, 'detailsSealed'> {
  details: BeneficiaryDetails
}

export const beneficiaryContext = (beneficiaryId: string): string => `beneficiary ${beneficiaryId}`

export interface NewBeneficiary {
  beneficiaryOf: string
  accountType: string
  beneficiaryType: string
  country: string
  currency: string
  externalAccountId: string | null
  details: BeneficiaryDetails
}

export async function createBeneficiary(
  deps: BeneficiaryDeps,
  caller: Caller,
  input: NewBeneficiary,
): Promise<Beneficiary> {
  const { orgId } = caller
  if (input.beneficiaryOf !== caller.userId) await assertMember(deps, orgId, input.beneficiaryOf)
  const beneficiaryId = newId()
  const detailsSealed = await deps.vault.seal(orgId, beneficiaryContext(beneficiaryId), input.details)
  return deps.db.inOrg(orgId, async (tx) => {
    const row = await insertBeneficiary(tx, orgId, { ...input, beneficiaryId, detailsSealed })
    const { momo_details, bank_details } = maskDetails(input.details)
    await recordAudit(tx, caller, orgId, {
      action: 'beneficiary.create',
      resourceType: 'beneficiary',
      resourceId: beneficiaryId,
      after: {
        account_type: row.accountType,
        country: row.country,
        currency: row.currency,
        momo_details,
        bank_details,
      },
    })
    return { ...row, details: input.details }
  })
}

/** A user of another organisation is a stranger here, like one that does not exist. */
async function assertMember(deps: BeneficiaryDeps, orgId: string, userId: string): Promise<void> {
  if (!(await isMember(deps, orgId, userId)))
    throw forbidden('user_id is not a member of your organisation. Leave it out to register it for yourself.')
}
