import { runStatements } from '../../../kernel/db/database.ts'
import { assertCovered } from '../../../kernel/ledger/available.ts'
import { account, insertTransfers, posted } from '../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict, forbidden } from '../../../lib/errors.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import { closeExceptionIn, lockOpenException } from './close-exception.ts'
import { withExceptions } from './reads.ts'
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
    const other = outcome === 'returned' ? account.provider(provider, accountId) : account.available(custody)
    const isMissing = amount.amountMinor < 0n
    // It is the operator's money that is missing: an organisation may pay for it, and not declare it returned.
    if (
      isMissing &&
      custody === 'pooled' &&
      outcome === 'returned' &&
      !caller.permissions.has('platform:write')
    )
      throw forbidden('Only the operator can say that the provider made up for money of the installation.')
    const release = posted({
      causeId: exceptionId,
      kind: `suspense.${outcome}`,
      debit: isMissing ? other : account.suspense,
      credit: isMissing ? account.suspense : other,
      currency: amount.currency,
      amountMinor: isMissing ? -amount.amountMinor : amount.amountMinor,
    })
    await runStatements(tx, [
      insertTransfers(exception.org_id, [release]),
      // What the organisation pays for an excess must be covered like any other debit.
      ...(release.debit === account.available('pooled')
        ? [assertCovered(exception.org_id, { account: release.debit, currency: release.currency })]
        : []),
    ])
    const said = `${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency} ${outcome}`
    return closeExceptionIn(tx, caller, exception.org_id, { exceptionId, resolution: `${said}: ${comment}` })
  })
}
