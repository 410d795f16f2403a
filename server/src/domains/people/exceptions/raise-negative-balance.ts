import type { CompiledQuery } from 'kysely'
import { isForced } from '../../../kernel/ledger/available.ts'
import { account, type Transfer } from '../../../kernel/ledger/transfers.ts'
import { newId } from '../../../lib/ids.ts'
import { suggestedActions } from './describe-kinds.ts'
import { insertExceptionIfBelowLimit } from './store.ts'

/**
 * Statements for the transaction that posts debits which cannot be refused, after the transfers. Each raises an
 * exception if the pooled balance is below its limit now; there is one open exception per organisation and currency.
 */
export const negativeBalanceStatements = (orgId: string, transfers: readonly Transfer[]): CompiledQuery[] => {
  const pooled = account.available('pooled')
  const forced = transfers.filter(({ kind, debit }) => debit === pooled && isForced(kind))
  // In the same order everywhere: each statement may wait for another one about the same currency.
  return [...new Set(forced.map(({ currency }) => currency))].sort().map((currency) =>
    insertExceptionIfBelowLimit(
      orgId,
      {
        exceptionId: newId(),
        kind: 'negative_balance',
        paymentId: null,
        provider: null,
        findingKey: `negative_balance ${currency}`,
        summary: `Debits that cannot be refused have taken the ${currency} balance below its limit. Payouts stop until it is covered.`,
        suggestedAction: suggestedActions.negative_balance,
      },
      { account: pooled, currency },
    ),
  )
}
