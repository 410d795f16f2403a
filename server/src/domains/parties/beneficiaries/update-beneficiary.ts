import { isDeepStrictEqual } from 'node:util'
import type { CompiledQuery } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../../people/change-requests/record.ts'
import { checkName } from './check-name.ts'
import { auditView, beneficiaryContext } from './create-beneficiary.ts'
import { badAccount } from './errors.ts'
import { getBeneficiary, openBeneficiary } from './reads.ts'
import type {
  Beneficiary,
  BeneficiaryChange,
  NameCheck,
  BeneficiaryWriteDeps,
  NameCheckDeps,
  PaymentCheck,
} from './record.ts'
import { screenSubjects } from '../../compliance/sanctions/matches/screen-subjects.ts'
import { accountProblems, hasOtherAccount, partiesOf } from './rules.ts'
import { lockBeneficiary, updateBeneficiaryRow } from './store.ts'

interface UpdateDeps extends BeneficiaryWriteDeps, NameCheckDeps {
  changeControl: ChangeControl
  hasPaidTo: PaymentCheck
}

/**
 * Payments in progress keep the account that they were started with. A new account of somebody who has been paid before
 * is what a forged invoice asks for, so it needs a second person.
 */
export async function updateBeneficiary(
  deps: UpdateDeps,
  caller: Caller,
  input: { beneficiaryId: string; change: BeneficiaryChange; verifyName: boolean },
): Promise<MaybeHeld<Beneficiary & { nameCheck?: NameCheck }>> {
  const { orgId } = caller
  const { beneficiaryId, change } = input
  const seen = changed(await getBeneficiary(deps, orgId, { beneficiaryId }), change)
  const nameCheck = input.verifyName ? await checkName(deps, orgId, seen) : undefined
  const nameAtBank = nameCheck?.accountName ?? null
  // Before the transaction, because another server may have to be asked.
  const screened = await screenSubjects(deps, orgId, partiesOf(seen, nameAtBank))
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await lockedBeneficiary(deps, tx, orgId, beneficiaryId)
    const after = changed(before, change)
    if (hasOtherAccount(before, after) && (await deps.hasPaidTo(tx, orgId, beneficiaryId))) {
      const held = await deps.changeControl.hold(tx, caller, {
        orgId,
        kind: 'beneficiary.update',
        payload: { beneficiary_id: beneficiaryId, before: auditView(before), after: auditView(after) },
        secret: change,
        subject: beneficiaryContext(beneficiaryId),
        summary: `A new payout account for the beneficiary ${beneficiaryId}, who has been paid before.`,
      })
      if (held) return { held }
    }
    const isAsSeen = isDeepStrictEqual(after, seen)
    const { statements } = isAsSeen
      ? screened
      : await screenSubjects(deps, orgId, partiesOf(after, nameAtBank), tx)
    const written = await writeChange(deps, tx, caller, { before, after, matches: statements })
    return { done: { ...written, ...(nameCheck && { nameCheck }) } }
  })
}

async function lockedBeneficiary(
  deps: Pick<UpdateDeps, 'vault'>,
  tx: Tx,
  orgId: string,
  beneficiaryId: string,
): Promise<Beneficiary> {
  const row = await lockBeneficiary(tx, orgId, beneficiaryId)
  if (!row) throw notFound('The beneficiary')
  return openBeneficiary(deps, row)
}

type WriteDeps = Pick<UpdateDeps, 'db' | 'vault' | 'clock' | 'screeningKey' | 'sanctions'>

async function writeChange(
  deps: WriteDeps,
  tx: Tx,
  caller: Caller,
  { before, after, matches }: { before: Beneficiary; after: Beneficiary; matches: readonly CompiledQuery[] },
): Promise<Beneficiary> {
  const { orgId, beneficiaryId } = before
  const context = beneficiaryContext(beneficiaryId)
  const detailsSealed = await deps.vault.seal(orgId, context, after.details, context)
  const updatedAt = deps.clock.now()
  for (const statement of matches) await tx.db.executeQuery(statement)
  const written = await updateBeneficiaryRow(tx, orgId, { ...after, detailsSealed, updatedAt })
  await recordAudit(tx, caller, orgId, {
    action: 'beneficiary.update',
    resourceType: 'beneficiary',
    resourceId: beneficiaryId,
    before: auditView(before),
    after: auditView(after),
  })
  return { ...written, details: after.details }
}

const requested = z.object({ beneficiary_id: z.string() })

export const beneficiaryApplier = (deps: WriteDeps): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload, secret }) {
    const { beneficiary_id: beneficiaryId } = requested.parse(payload)
    const before = await lockedBeneficiary(deps, tx, orgId, beneficiaryId)
    const change = secret as BeneficiaryChange // sealed by updateBeneficiary from this type
    const after = changed(before, change)
    const { statements } = await screenSubjects(deps, orgId, partiesOf(after), tx)
    await writeChange(deps, tx, approver, { before, after, matches: statements })
  },
})

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
