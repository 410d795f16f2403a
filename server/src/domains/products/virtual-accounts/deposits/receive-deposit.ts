import type { CompiledQuery } from 'kysely'
import { account as ledgerAccount, insertTransfers, posted } from '../../../../kernel/ledger/transfers.ts'
import { newId } from '../../../../lib/ids.ts'
import { formatMinor } from '../../../../lib/money/money.ts'
import { insertException } from '../../../people/exceptions/raise-exception.ts'
import { messageFromOther } from '../../../providers/accounts/errors.ts'
import { wakeForDeliveries } from '../../../events/webhooks/publish-events.ts'
import { listByNumberAcrossOrgs } from '../reads.ts'
import type { VirtualAccount } from '../record.ts'
import { creditOf } from './credit-deposit.ts'
import type { DepositDeps, Arrival } from './record.ts'
import { depositContext } from './rules.ts'
import { screenSender } from './screen-sender.ts'
import { insertSuspended } from './store.ts'

/**
 * Books every deposit: credits the virtual account that it names, if the account that reports it has opened that one and
 * its sender is on no sanctions list, else holds it in suspense for manual review. One transaction with the inbox row, so that a repeated webhook changes
 * nothing.
 */
export async function receiveDeposit(deps: DepositDeps, arrival: Arrival): Promise<void> {
  const { account, deposit } = arrival
  const numbered = await deps.db.acrossOrgs((tx) =>
    listByNumberAcrossOrgs(tx, deps, { provider: account.provider, accountNumber: deposit.accountNumber }),
  )
  const results = await deps.db.batchAcrossOrgs([
    ...(await bookingOf(deps, arrival, numbered)),
    ...(arrival.extraStatements ?? []),
  ])
  wakeForDeliveries(deps.db, results)
}

async function bookingOf(
  deps: DepositDeps,
  arrival: Arrival,
  numbered: readonly VirtualAccount[],
): Promise<CompiledQuery[]> {
  const { account, deposit } = arrival
  const [found, ...others] = numbered.filter((one) => one.providerAccountId === account.accountId)
  // Money that another account reports is not in the account that has to pay it out.
  if (!found && numbered.length > 0) return refusal(arrival)
  const depositId = newId()
  const screened = await screenSender(deps, arrival, depositId)
  const suspended = async (why: string): Promise<CompiledQuery[]> => [
    ...screened.statements,
    ...(await suspension(deps, arrival, { exceptionId: depositId, why })),
  ]
  if (!found || others.length > 0) return suspended('came to an account that nobody has')
  if (found.currency !== deposit.amount.currency || found.status === 'closed')
    return suspended('came to an account in another currency, or closed')
  if (screened.verdict !== 'clear') return suspended('came from somebody who possibly is on a sanctions list')
  return [
    ...screened.statements,
    arrival.inbox(`credited to virtual account ${found.accountId}`),
    ...creditOf(found.orgId, {
      transactionId: depositId,
      accountId: found.accountId,
      amount: deposit.amount,
      source: ledgerAccount.provider(account.provider, account.accountId),
      description: deposit.description ?? 'Deposit',
      reference: deposit.providerRef,
      at: deps.clock.now(),
    }),
  ]
}

const refusal = (arrival: Arrival): CompiledQuery[] => [
  arrival.inbox('refused: another account carries it'),
  insertException(arrival.account.orgId, messageFromOther(arrival.account, arrival.deposit.providerRef)),
]

async function suspension(
  deps: DepositDeps,
  arrival: Arrival,
  { exceptionId, why }: { exceptionId: string; why: string },
): Promise<CompiledQuery[]> {
  const { account, deposit } = arrival
  const { orgId: ownerId, accountId, provider } = account
  const { amount, providerRef } = deposit
  const senderSealed = await deps.vault.seal(ownerId, depositContext(exceptionId), {
    accountNumber: deposit.accountNumber,
    sender: deposit.sender,
  })
  return [
    arrival.inbox('held in suspense'),
    insertTransfers(ownerId, [
      posted({
        causeId: exceptionId,
        kind: 'suspense.received',
        debit: ledgerAccount.provider(provider, accountId),
        credit: ledgerAccount.suspense,
        ...amount,
      }),
    ]),
    insertSuspended(ownerId, { exceptionId, provider, accountId, providerRef, senderSealed, ...amount }),
    insertException(ownerId, {
      exceptionId,
      kind: 'unmatched_deposit',
      paymentId: null,
      provider,
      findingKey: `unmatched_deposit ${provider} ${accountId} ${providerRef}`,
      summary: `${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency} ${why} (${provider} ${providerRef}). It is held in suspense.`,
    }),
  ]
}
