import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { checkName } from './check-name.ts'
import { auditView, beneficiaryContext } from './create-beneficiary.ts'
import { badAccount } from './errors.ts'
import { getBeneficiary, openBeneficiary } from './get-beneficiary.ts'
import type { Beneficiary, BeneficiaryChange, NameCheck, BeneficiaryDeps, NameCheckDeps } from './record.ts'
import { accountProblems } from './rules.ts'
import { lockBeneficiary, updateBeneficiaryRow } from './store.ts'

/** Payments in progress keep the account that they were started with. */
export async function updateBeneficiary(
  deps: BeneficiaryDeps & NameCheckDeps & { clock: { now(): Date } },
  caller: Caller,
  input: { beneficiaryId: string; change: BeneficiaryChange; verifyName: boolean },
): Promise<Beneficiary & { nameCheck?: NameCheck }> {
  const { orgId } = caller
  const { beneficiaryId, change } = input
  const seen = changed(await getBeneficiary(deps, orgId, { beneficiaryId }), change)
  const nameCheck = input.verifyName ? await checkName(deps, orgId, seen) : undefined
  return deps.db.inOrg(orgId, async (tx) => {
    const row = await lockBeneficiary(tx, orgId, beneficiaryId)
    if (!row) throw notFound('The beneficiary')
    const before = await openBeneficiary(deps, row)
    const after = changed(before, change)
    const detailsSealed = await deps.vault.seal(orgId, beneficiaryContext(beneficiaryId), after.details)
    const updatedAt = deps.clock.now()
    const written = await updateBeneficiaryRow(tx, orgId, { ...after, detailsSealed, updatedAt })
    await recordAudit(tx, caller, orgId, {
      action: 'beneficiary.update',
      resourceType: 'beneficiary',
      resourceId: beneficiaryId,
      before: auditView(before),
      after: auditView(after),
    })
    return { ...written, details: after.details, ...(nameCheck && { nameCheck }) }
  })
}

function changed(before: Beneficiary, change: BeneficiaryChange): Beneficiary {
  const { details, ...rest } = change
  const after = { ...before, ...rest, details: { ...before.details, ...details } }
  const problems = accountProblems({
    ...after.details,
    account_type: after.accountType,
    country: after.country,
  })
  if (problems.length > 0) throw badAccount(problems)
  return after
}
