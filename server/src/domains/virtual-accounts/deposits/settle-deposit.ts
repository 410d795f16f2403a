import { runStatements, type Tx } from '../../../db/database.ts'
import { outboxChannel } from '../../../engine/outbox.ts'
import { account as ledgerAccount, insertTransfers, posted } from '../../../ledger/transfers.ts'
import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { closeExceptionIn } from '../../exceptions/close-exception.ts'
import { withExceptions } from '../../exceptions/list-exceptions.ts'
import type { ExceptionDeps } from '../../exceptions/record.ts'
import { findAccountIn } from '../find-account.ts'
import { creditOf } from './credit-deposit.ts'
import { alreadySettled, cannotTake, noSuchAccount } from './errors.ts'
import type { DepositDeps, SuspendedDeposit } from './record.ts'
import { lockSuspended, settleSuspended } from './store.ts'

type ClosedException = Awaited<ReturnType<typeof closeExceptionIn>>
type Deps = ExceptionDeps & Pick<DepositDeps, 'clock'>

/** A person has identified the recipient. The operator may assign deposits of the installation's own account. */
export function assignDeposit(
  deps: Deps,
  caller: Caller,
  input: { exceptionId: string; accountId: string; comment: string | null },
): Promise<ClosedException> {
  return withExceptions(deps, caller, async (tx, { withInstallation }) => {
    const deposit = await openDeposit(tx, caller, withInstallation, input.exceptionId)
    const account = await findAccountIn(tx, withInstallation ? undefined : caller.orgId, input.accountId)
    if (!account) throw noSuchAccount()
    const isTaker = account.accountType === 'currency' && account.status !== 'closed'
    if (account.currency !== deposit.currency || !isTaker) throw cannotTake(deposit.currency)
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
        source: isOwn ? ledgerAccount.suspense : ledgerAccount.provider(deposit.provider),
        description: 'Deposit, assigned by hand',
        reference: deposit.providerRef,
        at,
      }),
    ])
    await settleSuspended(tx, deposit.orgId, {
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

/** A person has returned the money outside Switchyard and records it here. */
export function returnDeposit(
  deps: Deps,
  caller: Caller,
  input: { exceptionId: string; comment: string },
): Promise<ClosedException> {
  return withExceptions(deps, caller, async (tx, { withInstallation }) => {
    const deposit = await openDeposit(tx, caller, withInstallation, input.exceptionId)
    await runStatements(tx, [insertTransfers(deposit.orgId, [backToProvider(deposit, 'suspense.returned')])])
    await settleSuspended(tx, deposit.orgId, {
      exceptionId: input.exceptionId,
      status: 'returned',
      transactionId: null,
      at: deps.clock.now(),
    })
    return closeExceptionIn(tx, caller, deposit.orgId, {
      exceptionId: input.exceptionId,
      resolution: `Returned to the sender: ${input.comment}`,
    })
  })
}

async function openDeposit(
  tx: Tx,
  caller: Caller,
  withInstallation: boolean,
  exceptionId: string,
): Promise<SuspendedDeposit> {
  const deposit = await lockSuspended(tx, caller.orgId, { exceptionId, orInstallation: withInstallation })
  if (!deposit) throw notFound('The deposit')
  if (deposit.status !== 'open') throw alreadySettled(deposit.status)
  return deposit
}

const backToProvider = (deposit: SuspendedDeposit, kind: string) =>
  posted({
    causeId: deposit.exceptionId,
    kind,
    debit: ledgerAccount.suspense,
    credit: ledgerAccount.provider(deposit.provider),
    currency: deposit.currency,
    amountMinor: deposit.amountMinor,
  })
