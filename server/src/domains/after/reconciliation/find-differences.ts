import { compareAccount, type InStep } from './compare-account.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { differencesLimit, findingKeyOf, totalOf } from './rules.ts'

/** How many transactions were compared, and the keys of the differences. Nothing, where a provider lists nothing. */
export async function findDifferences(
  deps: ReconciliationDeps,
  account: Account,
  { since, inStep = (_name, work) => work() }: { since: Date; inStep?: InStep },
): Promise<{ checked: number; differences: string[] } | null> {
  const canList = await inStep('look', async () => {
    const connector = await deps.connectors.load(account.ownerId, account.accountId)
    return connector?.listTransactions !== undefined
  })
  if (!canList) return null
  const { checked, settled } = await compareAccount(deps, account, {
    since,
    inStep,
    settle: async (differences) => differences.map(({ finding }) => findingKeyOf(account.provider, finding)),
  })
  return { checked: totalOf(checked), differences: settled.slice(0, differencesLimit) }
}
