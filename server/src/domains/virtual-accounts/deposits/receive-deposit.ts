import type { CompiledQuery } from 'kysely'
import { installationOrgId } from '../../../db/vault.ts'
import { account as ledgerAccount, insertTransfers, posted } from '../../../ledger/transfers.ts'
import { newId } from '../../../lib/ids.ts'
import { formatMinor } from '../../../lib/money.ts'
import { insertException } from '../../exceptions/raise-exception.ts'
import { wakeForDeliveries } from '../../webhooks/publish-events.ts'
import { findByNumberAcrossOrgs } from '../find-account.ts'
import { creditOf } from './credit-deposit.ts'
import type { DepositDeps, Arrival } from './record.ts'
import { depositContext } from './rules.ts'
import { insertSuspended } from './store.ts'

/**
 * Books every deposit: credits the account that it names, else holds it in suspense for manual review. One
 * transaction with the inbox row, so that a repeated webhook changes nothing.
 */
export async function receiveDeposit(deps: DepositDeps, arrival: Arrival): Promise<void> {
  const { provider, deposit, ownerId } = arrival
  const found = await deps.db.acrossOrgs((tx) =>
    findByNumberAcrossOrgs(tx, deps, { provider, accountNumber: deposit.accountNumber }),
  )
  const isTheirs = found && (ownerId === installationOrgId || ownerId === found.orgId)
  const fits = isTheirs && found.currency === deposit.amount.currency && found.status !== 'closed'
  const statements = fits
    ? [
        arrival.inbox(`credited to virtual account ${found.accountId}`),
        ...creditOf(found.orgId, {
          transactionId: newId(),
          accountId: found.accountId,
          amount: deposit.amount,
          source: ledgerAccount.provider(provider),
          description: deposit.description ?? 'Deposit',
          reference: deposit.providerRef,
          at: deps.clock.now(),
        }),
      ]
    : await suspension(deps, arrival, isTheirs ? 'in another currency, or closed' : 'that nobody has')
  const results = await deps.db.batchAcrossOrgs([...statements, ...(arrival.extraStatements ?? [])])
  wakeForDeliveries(deps.db, results)
}

async function suspension(deps: DepositDeps, arrival: Arrival, why: string): Promise<CompiledQuery[]> {
  const { ownerId, provider, deposit } = arrival
  const { amount, providerRef } = deposit
  const exceptionId = newId()
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
        debit: ledgerAccount.provider(provider),
        credit: ledgerAccount.suspense,
        ...amount,
      }),
    ]),
    insertSuspended(ownerId, { exceptionId, provider, providerRef, senderSealed, ...amount }),
    insertException(ownerId, {
      exceptionId,
      kind: 'unmatched_deposit',
      paymentId: null,
      provider,
      findingKey: `unmatched_deposit ${provider} ${providerRef}`,
      summary: `${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency} came to an account ${why} (${provider} ${providerRef}). It is held in suspense.`,
      suggestedAction: 'Assign it to a virtual account, or return it to the sender and say so.',
    }),
  ]
}
