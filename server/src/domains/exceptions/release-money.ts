import { runStatements } from '../../db/database.ts'
import { account, insertTransfers, posted } from '../../ledger/transfers.ts'
import type { Caller } from '../../lib/access.ts'
import { conflict } from '../../lib/errors.ts'
import { formatMinor } from '../../lib/money.ts'
import { closeExceptionIn, lockOpenException } from './close-exception.ts'
import { withExceptions } from './list-exceptions.ts'
import type { ExceptionRow, ExceptionDeps } from './record.ts'
import { heldBy, type Release } from './rules.ts'

/** Moves the money of an exception out of suspense, as a person resolved it. */
export function releaseMoney(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; outcome: Release; comment: string },
): Promise<ExceptionRow> {
  const { exceptionId, outcome, comment } = input
  return withExceptions(deps, caller, 'write', async (tx, scope) => {
    const exception = await lockOpenException(tx, caller, { ...scope, exceptionId })
    const held = heldBy(exception)
    if (!held) throw conflict('This exception holds no money in suspense. Close it with a resolution.')
    const { provider, accountId, custody, ...amount } = held
    await runStatements(tx, [
      insertTransfers(exception.org_id, [
        posted({
          causeId: exceptionId,
          kind: `suspense.${outcome}`,
          debit: account.suspense,
          credit: outcome === 'returned' ? account.provider(provider, accountId) : account.available(custody),
          ...amount,
        }),
      ]),
    ])
    const said = `${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency} ${outcome}`
    return closeExceptionIn(tx, caller, exception.org_id, { exceptionId, resolution: `${said}: ${comment}` })
  })
}
