import { joinTransaction, type Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { Approver, ChangeRequest } from '../../people/change-requests/record.ts'
import { lockOpenException } from '../../people/exceptions/close-exception.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { findAccountIn } from '../../providers/accounts/reads.ts'
import { cannotAdjust, otherCustody } from './errors.ts'
import type { AdjustmentDeps, NewAdjustment } from './record.ts'
import { approverFor, custodyOf, isOneCustody, readProviderAccount, type AccountCustody } from './rules.ts'
import { toProposal } from './schema.ts'

/** Proposes a correction of the ledger. Nothing is posted until a second person approves. */
export function requestAdjustment(
  deps: AdjustmentDeps,
  caller: Caller,
  input: { orgId: string | undefined; adjustment: NewAdjustment },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { adjustment } = input
  const { debit, credit, currency, amountMinor, paymentId, exceptionId, reason } = adjustment
  return deps.db.acrossOrgs(async (tx) => {
    const approver = await approverOf(tx, orgId, adjustment)
    if (paymentId !== null) await loadPayment({ db: joinTransaction(deps.db, tx) }, orgId, paymentId)
    if (exceptionId !== null)
      await lockOpenException(tx, { ...caller, orgId }, { exceptionId, withInstallation: false })
    return deps.changeControl.propose(tx, caller, {
      orgId,
      kind: 'ledger.adjust',
      approver,
      payload: toProposal(adjustment),
      summary: `Move ${formatMinor(amountMinor, currency)} ${currency} from ${debit} to ${credit}. Reason: ${reason}`,
    })
  })
}

/** Asserts that the accounts can be adjusted, and returns who decides. */
export async function approverOf(
  tx: Tx,
  orgId: string,
  { debit, credit }: Pick<NewAdjustment, 'debit' | 'credit'>,
): Promise<Approver> {
  const from = await custodyIn(tx, orgId, debit)
  if (from === undefined) throw cannotAdjust('debit')
  const to = await custodyIn(tx, orgId, credit)
  if (to === undefined) throw cannotAdjust('credit')
  if (!isOneCustody(from, to)) throw otherCustody()
  return approverFor(from, to)
}

async function custodyIn(tx: Tx, orgId: string, name: string): Promise<AccountCustody | undefined> {
  const named = readProviderAccount(name)
  if (!named) return custodyOf(name)
  const found = await findAccountIn(tx, orgId, named)
  return found && (found.orgId === installationOrgId ? 'pooled' : 'own')
}
