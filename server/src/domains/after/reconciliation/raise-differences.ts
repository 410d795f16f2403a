import { compareAccount, type InStep } from './compare-account.ts'
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
  {
    since,
    differences,
    inStep = (_name, work) => work(),
  }: {
    since: Date
    differences: readonly string[]
    inStep?: InStep
  },
): Promise<number> {
  const wanted = new Set(differences)
  const { settled } = await compareAccount(deps, account, {
    since,
    inStep,
    async settle(found) {
      const named = found.map((one) => ({ ...one, key: findingKeyOf(account.provider, one.finding) }))
      const confirmed = named.filter(({ key }) => wanted.has(key))
      await raiseFindings(deps, account, confirmed)
      return confirmed.map(({ key }) => key)
    },
  })
  return settled.length
}
