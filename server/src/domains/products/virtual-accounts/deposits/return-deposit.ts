import { runStatements } from '../../../../kernel/db/database.ts'
import { insertTransfers } from '../../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { closeExceptionIn } from '../../../people/exceptions/close-exception.ts'
import { withExceptions } from '../../../people/exceptions/reads.ts'
import type { ExceptionDeps, ExceptionRow } from '../../../people/exceptions/record.ts'
import { backToProvider, openDeposit } from './open-deposit.ts'
import type { DepositDeps } from './record.ts'
import { resolveSuspended } from './store.ts'

/** A person has returned the money outside Switchyard and records it here. */
export function returnDeposit(
  deps: ExceptionDeps & Pick<DepositDeps, 'clock'>,
  caller: Caller,
  input: { exceptionId: string; comment: string },
): Promise<ExceptionRow> {
  return withExceptions(deps, caller, 'write', async (tx, { withInstallation }) => {
    const deposit = await openDeposit(tx, caller, withInstallation, input.exceptionId)
    await runStatements(tx, [insertTransfers(deposit.orgId, [backToProvider(deposit, 'suspense.returned')])])
    await resolveSuspended(tx, deposit.orgId, {
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
