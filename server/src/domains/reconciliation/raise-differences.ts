import { compareAccount } from './compare-account.ts'
import { raiseFindings } from './raise-findings.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/**
 * Raises only differences that still exist in a second comparison; the others were updates in transit. Returns how
 * many it raised.
 */
export async function raiseDifferences(
  deps: ReconciliationDeps,
  account: Account,
  seen: { since: Date; differences: readonly string[] },
): Promise<number> {
  const differences = new Set(seen.differences)
  const compared = await compareAccount(deps, account, seen.since)
  const confirmed = compared.filter(
    ({ finding }) => finding && differences.has(findingKeyOf(account.provider, finding)),
  )
  await raiseFindings(deps, account, confirmed)
  return confirmed.length
}
