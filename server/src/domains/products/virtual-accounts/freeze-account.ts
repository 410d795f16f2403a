import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { lockGuarded } from '../../../kernel/ledger/guarded.ts'
import { account as ledgerAccount } from '../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import { recordEvent } from '../../events/webhooks/publish-events.ts'
import type { NewEvent } from '../../events/webhooks/record.ts'
import { alreadyIs, isClosed } from './errors.ts'
import { getAccount } from './reads.ts'
import type { OpenedVirtualAccount, VirtualAccount } from './record.ts'
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
    const at = deps.clock.now()
    const freezeId = before.freezeId ?? newId()
    const change = { accountId, status, freezeId: input.frozen ? freezeId : null, updatedAt: at } as const
    await updateAccountStatus(tx, orgId, change)
    await recordEvent(tx, orgId, freezeEvent(before, { freezeId, reason: input.reason, status, at }))
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

/** A freeze is the resource that is counted, because the entries of the account have their own numbers. */
function freezeEvent(
  { orgId, accountId, userId, currency }: VirtualAccount,
  change: { freezeId: string; reason: string | null; status: 'frozen' | 'active'; at: Date },
): NewEvent {
  const { freezeId, reason, status, at } = change
  const account = {
    freeze_id: freezeId,
    account_id: accountId,
    org_id: orgId,
    user_id: userId,
    currency,
  }
  const event = { resourceId: freezeId, createdAt: at }
  const moment = { reason, updated_at: at.toISOString() }
  return status === 'frozen'
    ? buildEvent('virtual_account.frozen', { ...event, data: { ...account, status, ...moment, sequence: 1 } })
    : buildEvent('virtual_account.unfrozen', {
        ...event,
        data: { ...account, status, ...moment, sequence: 2 },
      })
}
