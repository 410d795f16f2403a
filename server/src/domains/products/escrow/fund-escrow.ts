import type { Vault } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getAccount } from '../virtual-accounts/reads.ts'
import { asRefusal, otherCurrency, otherCustody } from '../virtual-accounts/transactions/errors.ts'
import { moveMoney } from '../virtual-accounts/transactions/move-money.ts'
import { parseAmount } from '../virtual-accounts/transactions/rules.ts'
import { asWrongField } from './add-party.ts'
import { getEscrow } from './reads.ts'
import { coverMilestones } from './milestones/cover-milestones.ts'
import { tooMuchFunding, wrongField } from './milestones/errors.ts'
import { openActiveEscrow } from './milestones/open-escrow.ts'
import type { EscrowWithTotals, EscrowDeps } from './record.ts'
import { insertFunding } from './store.ts'

/**
 * Moves money from a virtual account immediately. It covers milestones in sequence, and never exceeds what they
 * need.
 */
export async function fundEscrow(
  deps: EscrowDeps & { vault: Vault },
  caller: Caller,
  input: { escrowId: string; accountId: string; amount: number; reference: string | null },
): Promise<EscrowWithTotals> {
  const { orgId } = caller
  const { escrowId, accountId } = input
  const found = await getEscrow(deps, caller, { escrowId })
  const { custody } = await getAccount(deps, orgId, { accountId: found.accountId })
  const unknown = asWrongField('account_id', 'there is no such account')
  const account = await getAccount(deps, orgId, { accountId }).catch(unknown)
  if (account.accountType === 'escrow') throw wrongField('account_id', 'belongs to an escrow')
  const at = deps.clock.now()
  const fundingId = newId()
  const work = deps.db.inOrg(orgId, async (tx) => {
    const { escrow, milestones } = await openActiveEscrow(tx, orgId, escrowId)
    const { currency } = escrow
    if (account.currency !== currency) throw otherCurrency('account_id', account.currency)
    if (account.custody !== custody) throw otherCustody()
    const amountMinor = parseAmount(input.amount, currency)
    await moveMoney(tx, orgId, {
      moveId: fundingId,
      fromAccountId: accountId,
      toAccountId: escrow.accountId,
      amount: { amountMinor, currency },
      description: `Escrow: ${escrow.name}`,
      reference: input.reference ?? fundingId,
      at,
    })
    if (!(await coverMilestones(tx, milestones, { addedMinor: amountMinor, at }))) throw tooMuchFunding()
    await insertFunding(tx, orgId, { fundingId, escrowId, accountId, amountMinor, at })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.fund',
      resourceType: 'escrow',
      resourceId: escrowId,
      after: { funding_id: fundingId, account_id: accountId, amount_minor: amountMinor.toString() },
    })
  })
  await work.catch(asRefusal)
  return getEscrow(deps, caller, { escrowId })
}
