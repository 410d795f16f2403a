import { compareAccount } from './compare-account.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/** More differences than this have a common cause, which these are enough to show. */
const differencesLimit = 2_000

/** How many transactions were compared, and the keys of all differences. Nothing, where a provider lists nothing. */
export async function findDifferences(
  deps: ReconciliationDeps,
  account: Account,
  since: Date,
): Promise<{ checked: number; differences: string[] } | null> {
  const connector = await deps.connectors.load(account.ownerId, account.accountId)
  if (!connector?.listTransactions) return null
  const compared = await compareAccount(deps, account, since)
  const differences = compared
    .flatMap(({ finding }) => (finding ? [findingKeyOf(account.provider, finding)] : []))
    .slice(0, differencesLimit)
  return { checked: compared.length, differences }
}
