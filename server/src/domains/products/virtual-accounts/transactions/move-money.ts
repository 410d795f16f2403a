import { runStatements, type Tx } from '../../../../kernel/db/database.ts'
import { outboxChannel } from '../../../../kernel/engine/outbox.ts'
import { account as ledgerAccount, insertTransfers, posted } from '../../../../kernel/ledger/transfers.ts'
import { newId } from '../../../../lib/ids.ts'
import type { Money } from '../../../../lib/money/money.ts'
import { writeBooked } from './book-transaction.ts'

interface MoneyMove {
  /** Identifies the move: the cause id of its transfer and the id of the debit entry. */
  moveId: string
  fromAccountId: string
  toAccountId: string
  amount: Money
  description: string
  reference: string
  at: Date
}

/**
 * Moves money between two accounts of an organisation in the caller's transaction: transfer, entries and events.
 * Fails as a whole if the balance is too low or the debited account is not active (see asRefusal).
 */
export async function moveMoney(tx: Tx, orgId: string, move: MoneyMove): Promise<void> {
  const { amount, description, reference, at } = move
  const common = { ...amount, description, reference, paymentRail: 'internal', createdAt: at } as const
  const transfer = posted({
    causeId: move.moveId,
    kind: 'va.transfer',
    debit: ledgerAccount.virtual(move.fromAccountId),
    credit: ledgerAccount.virtual(move.toAccountId),
    ...amount,
  })
  await runStatements(tx, [
    insertTransfers(orgId, [transfer]),
    ...writeBooked(orgId, {
      ...common,
      transactionId: move.moveId,
      accountId: move.fromAccountId,
      type: 'debit',
    }),
    ...writeBooked(orgId, { ...common, transactionId: newId(), accountId: move.toAccountId, type: 'credit' }),
  ])
  tx.notifyAfterCommit(outboxChannel)
}
