import type { CompiledQuery } from 'kysely'
import { account as ledgerAccount, insertTransfers, posted } from '../../../../kernel/ledger/transfers.ts'
import type { Money } from '../../../../lib/money/money.ts'
import { writeBooked } from '../transactions/book-transaction.ts'

interface Credit {
  transactionId: string
  accountId: string
  amount: Money
  /** The ledger account to debit: the provider's, or suspense. */
  source: string
  description: string
  reference: string
  at: Date
}

/** Statements that credit a deposit to an account: transfer, entry, event. */
export const creditOf = (orgId: string, credit: Credit): CompiledQuery[] => [
  insertTransfers(orgId, [
    posted({
      causeId: credit.transactionId,
      kind: 'va.deposit',
      debit: credit.source,
      credit: ledgerAccount.virtual(credit.accountId),
      ...credit.amount,
    }),
  ]),
  ...writeBooked(orgId, {
    transactionId: credit.transactionId,
    accountId: credit.accountId,
    type: 'credit',
    ...credit.amount,
    description: credit.description,
    paymentRail: 'bank_transfer',
    reference: credit.reference,
    createdAt: credit.at,
  }),
]
