import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { isUuid } from '../../../lib/ids.ts'
import { selectListedReferences } from './listed/store.ts'
import { findAttempts } from './match-transactions.ts'
import type { Account, Comparison, OwnAttempt } from './record.ts'
import { isRefundMissed } from './rules.ts'
import { selectRefundsAcrossOrgs } from './store.ts'

interface MissedRefund {
  refund: ProviderRefund
  attempt: OwnAttempt | undefined
}

/** The refunds on the provider's list whose outcome there differs from ours, with the attempts that they belong to. */
export async function matchRefunds(
  tx: Tx,
  account: Account,
  listed: { comparison: Comparison; refunds: readonly ProviderRefund[] },
): Promise<MissedRefund[]> {
  const own = await selectRefundsAcrossOrgs(tx, {
    accountId: account.accountId,
    references: listed.refunds.flatMap(({ reference }) =>
      reference !== null && isUuid(reference) ? [reference] : [],
    ),
    providerRefs: listed.refunds.map(({ providerRef }) => providerRef),
  })
  const byReference = new Map(own.map((refund) => [refund.reference, refund]))
  const byProviderRef = new Map(own.map((refund) => [refund.providerRef, refund]))
  const missed = listed.refunds.filter((refund) =>
    isRefundMissed(refund, byProviderRef.get(refund.providerRef) ?? byReference.get(refund.reference ?? '')),
  )
  // A list of payments may map a provider's id to our reference, where the attempt has another id.
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
