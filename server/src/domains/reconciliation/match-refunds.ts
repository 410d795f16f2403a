import type { ProviderRefund } from '../../connectors/kit/refunds.ts'
import type { Tx } from '../../db/database.ts'
import { isUuid } from '../../lib/ids.ts'
import { selectListedReferences } from './listed/store.ts'
import { findAttempts } from './match-transactions.ts'
import type { Account, Comparison, OwnAttempt } from './record.ts'
import { selectRefundNamesAcrossOrgs } from './store.ts'

interface MissedRefund {
  refund: ProviderRefund
  attempt: OwnAttempt | undefined
}

/** The completed refunds on the provider's list that we do not have, with the attempts that they belong to. */
export async function matchRefunds(
  tx: Tx,
  account: Account,
  listed: { comparison: Comparison; refunds: readonly ProviderRefund[] },
): Promise<MissedRefund[]> {
  const completed = listed.refunds.filter(({ state }) => state.state === 'completed')
  const known = new Set(
    await selectRefundNamesAcrossOrgs(tx, {
      accountId: account.accountId,
      references: completed.flatMap(({ reference }) =>
        reference !== null && isUuid(reference) ? [reference] : [],
      ),
      providerRefs: completed.map(({ providerRef }) => providerRef),
    }),
  )
  const missed = completed.filter(
    ({ reference, providerRef }) => !known.has(providerRef) && !known.has(reference ?? ''),
  )
  // A list of payments may say which reference a provider's id stands for, where the attempt has another id.
  const references = await selectListedReferences(tx, account.ownerId, {
    comparisonId: listed.comparison.comparisonId,
    providerRefs: missed.flatMap(({ refundOf }) => refundOf.providerRef ?? []),
  })
  const named = missed.map((refund) => {
    const { reference, providerRef } = refund.refundOf
    return {
      refund,
      reference: reference ?? references.get(providerRef ?? '') ?? null,
      providerRef: providerRef ?? '',
    }
  })
  const attempts = await findAttempts(tx, account, { since: listed.comparison.since, transactions: named })
  return named.map((one) => ({ refund: one.refund, attempt: attempts.get(one) }))
}
