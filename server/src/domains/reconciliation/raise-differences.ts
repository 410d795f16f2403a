import { compareAccount } from './compare-account.ts'
import { raiseFindings } from './raise-findings.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/** Raises only differences that still exist in a second comparison; the others were updates in transit. */
export async function raiseDifferences(
  deps: ReconciliationDeps,
  account: Account,
  seen: { since: Date; differences: readonly string[] },
): Promise<void> {
  const differences = new Set(seen.differences)
  const compared = await compareAccount(deps, account, seen.since)
  await raiseFindings(
    deps,
    account,
    compared.filter(({ finding }) => finding && differences.has(findingKeyOf(account.provider, finding))),
  )
}
