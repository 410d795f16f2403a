import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { lockGuarded } from '../../ledger/guarded.ts'
import { account as ledgerAccount } from '../../ledger/transfers.ts'
import type { Caller } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { alreadyIs, isClosed } from './errors.ts'
import { getAccount } from './get-account.ts'
import type { OpenedVirtualAccount } from './record.ts'
import { findAccount, updateAccountStatus } from './store.ts'

/**
 * A frozen account cannot be debited and takes no book transfer; deposits are still credited and pending withdrawals
 * finish. Locks the balance row first, as debits do before they check the status, so that no debit slips through.
 */
export async function setFrozen(
  deps: { db: Database; vault: Vault; clock: Clock },
  caller: Caller,
  input: { accountId: string; frozen: boolean; reason: string | null },
): Promise<OpenedVirtualAccount> {
  const { orgId } = caller
  const { accountId } = input
  const status = input.frozen ? 'frozen' : 'active'
  await deps.db.inOrg(orgId, async (tx) => {
    await lockGuarded(tx, orgId, [ledgerAccount.virtual(accountId)])
    const before = await findAccount(tx, orgId, accountId)
    if (!before) throw notFound('The virtual account')
    if (before.status === 'closed') throw isClosed()
    if (before.status === status) throw alreadyIs(status)
    await updateAccountStatus(tx, orgId, { accountId, status, updatedAt: deps.clock.now() })
    await recordAudit(tx, caller, orgId, {
      action: `virtual-account.${input.frozen ? 'freeze' : 'unfreeze'}`,
      resourceType: 'virtual-account',
      resourceId: accountId,
      before: { status: before.status },
      after: { status, reason: input.reason },
    })
  })
  return getAccount(deps, orgId, { accountId })
}
