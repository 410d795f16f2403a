import { compareAccount } from './compare-account.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/** More differences than this have a common cause, which these are enough to show. */
const differencesLimit = 2_000

/** The keys of all differences; none for a provider that cannot list its transactions. */
export async function findDifferences(
  deps: ReconciliationDeps,
  account: Account,
  since: Date,
): Promise<string[]> {
  const connector = await deps.connectors.load(account.ownerId, account.accountId)
  if (!connector?.listTransactions) return []
  const compared = await compareAccount(deps, account, since)
  return compared
    .flatMap(({ finding }) => (finding ? [findingKeyOf(account.provider, finding)] : []))
    .slice(0, differencesLimit)
}
