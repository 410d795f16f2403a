import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { openAccountIn } from '../virtual-accounts/open-account.ts'
import { internalProvider } from '../virtual-accounts/rules.ts'
import { getEscrow } from './reads.ts'
import type { EscrowWithTotals, EscrowDeps } from './record.ts'
import { insertEscrow } from './store.ts'

/** Opens a virtual account for the escrow, whose money only the escrow can move. */
export async function createEscrow(
  deps: EscrowDeps,
  caller: Caller,
  input: { name: string; description: string | null; currency: string; custody: Custody },
): Promise<EscrowWithTotals> {
  const { orgId, userId } = caller
  const [escrowId, accountId] = [newId(), newId()]
  await deps.db.inOrg(orgId, async (tx) => {
    await openAccountIn(tx, caller, orgId, {
      accountId,
      userId,
      customerId: null,
      name: input.name,
      currency: input.currency,
      accountType: 'escrow',
      provider: internalProvider,
      providerAccountId: null,
      custody: input.custody,
      detailsSealed: null,
      numberIndex: null,
    })
    await insertEscrow(tx, orgId, { ...input, escrowId, accountId, userId, createdAt: deps.clock.now() })
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.create',
      resourceType: 'escrow',
      resourceId: escrowId,
      after: { ...input, account_id: accountId },
    })
  })
  return getEscrow(deps, caller, { escrowId })
}
