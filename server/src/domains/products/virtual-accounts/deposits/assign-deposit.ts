import { runStatements } from '../../../../kernel/db/database.ts'
import { outboxChannel } from '../../../../kernel/engine/outbox.ts'
import { account as ledgerAccount, insertTransfers } from '../../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import { closeExceptionIn } from '../../../people/exceptions/close-exception.ts'
import { withExceptions } from '../../../people/exceptions/reads.ts'
import type { ExceptionDeps, ExceptionRow } from '../../../people/exceptions/record.ts'
import { findAccountIn } from '../reads.ts'
import { custodyOf } from '../../../providers/accounts/rules.ts'
import { otherCustody } from '../transactions/errors.ts'
import { creditOf } from './credit-deposit.ts'
import { cannotTake, noSuchAccount } from './errors.ts'
import { backToProvider, openDeposit } from './open-deposit.ts'
import type { DepositDeps } from './record.ts'
import { resolveSuspended } from './store.ts'

/** A person has identified the recipient. The operator may assign deposits of the installation's own account. */
export function assignDeposit(
  deps: ExceptionDeps & Pick<DepositDeps, 'clock'>,
  caller: Caller,
  input: { exceptionId: string; accountId: string; comment: string | null },
): Promise<ExceptionRow> {
  return withExceptions(deps, caller, 'write', async (tx, { withInstallation }) => {
    const deposit = await openDeposit(tx, caller, withInstallation, input.exceptionId)
    const account = await findAccountIn(tx, withInstallation ? undefined : caller.orgId, input.accountId)
    if (!account) throw noSuchAccount()
    const isTaker = account.accountType === 'currency' && account.status !== 'closed'
    if (account.currency !== deposit.currency || !isTaker) throw cannotTake(deposit.currency)
    // The money is in the custody of the account that received it.
    if (account.custody !== custodyOf(deposit)) throw otherCustody()
    const at = deps.clock.now()
    const transactionId = newId()
    const amount = { amountMinor: deposit.amountMinor, currency: deposit.currency }
    const isOwn = account.orgId === deposit.orgId
    await runStatements(tx, [
      // Moves the amount from the installation's books to the organisation's; each has its own balance of the
      // provider.
      ...(isOwn ? [] : [insertTransfers(deposit.orgId, [backToProvider(deposit, 'suspense.assigned')])]),
      ...creditOf(account.orgId, {
        transactionId,
        accountId: account.accountId,
        amount,
        source: isOwn ? ledgerAccount.suspense : ledgerAccount.provider(deposit.provider, deposit.accountId),
        description: 'Deposit, assigned by hand',
        reference: deposit.providerRef,
        at,
      }),
    ])
    await resolveSuspended(tx, deposit.orgId, {
      exceptionId: input.exceptionId,
      status: 'assigned',
      transactionId,
      at,
    })
    tx.notifyAfterCommit(outboxChannel)
    const said = input.comment === null ? '' : `: ${input.comment}`
    return closeExceptionIn(tx, caller, deposit.orgId, {
      exceptionId: input.exceptionId,
      resolution: `Assigned to virtual account ${account.accountId}${said}`,
    })
  })
}
