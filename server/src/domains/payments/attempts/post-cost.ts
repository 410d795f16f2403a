import { account, posted, type Transfer } from '../../../kernel/ledger/transfers.ts'
import type { Payment, StoredAttempt } from '../record.ts'
import type { Decision, Fact } from '../lifecycle/rules.ts'

/** The first cost that a provider reports for a success is stored and posted once. */
export const costIn = (decision: Decision, fact: Fact | undefined): StoredAttempt['cost'] =>
  fact?.kind === 'accepted' &&
  decision.attempt === 'succeeded' &&
  decision.exception !== 'amount_differs' &&
  fact.cost !== undefined &&
  fact.cost.amountMinor > 0n
    ? fact.cost
    : null

export function costPostings(
  { paymentId }: Payment,
  before: StoredAttempt,
  { cost, provider, accountId }: StoredAttempt,
): Transfer[] {
  if (cost === null || before.cost !== null) return []
  return [
    posted({
      causeId: paymentId,
      kind: 'provider.cost',
      debit: account.providerCosts,
      credit: account.provider(provider, accountId),
      ...cost,
    }),
  ]
}
