import type { Tx } from '../../../../kernel/db/database.ts'
import { account as ledgerAccount, posted } from '../../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { alreadyResolved } from './errors.ts'
import type { SuspendedDeposit } from './record.ts'
import { assertSenderClear } from './screen-sender.ts'
import { lockSuspended } from './store.ts'

export async function openDeposit(
  tx: Tx,
  caller: Caller,
  withInstallation: boolean,
  exceptionId: string,
): Promise<SuspendedDeposit> {
  const deposit = await lockSuspended(tx, caller.orgId, { exceptionId, orInstallation: withInstallation })
  if (!deposit) throw notFound('The deposit')
  if (deposit.status !== 'open') throw alreadyResolved(deposit.status)
  await assertSenderClear(tx, deposit)
  return deposit
}

export const backToProvider = (deposit: SuspendedDeposit, kind: string) =>
  posted({
    causeId: deposit.exceptionId,
    kind,
    debit: ledgerAccount.suspense,
    credit: ledgerAccount.provider(deposit.provider, deposit.accountId),
    currency: deposit.currency,
    amountMinor: deposit.amountMinor,
  })
