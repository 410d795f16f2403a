import { installationOrgId } from '@switchyard/server/kernel/db/vault.ts'
import { chooseAccount } from '@switchyard/server/domains/providers/accounts/choose-account.ts'
import { compareAccount } from '@switchyard/server/domains/after/reconciliation/compare-account.ts'
import type { Difference } from '@switchyard/server/domains/after/reconciliation/record.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import type { Acceptance, Evidence } from './evidence.ts'

/** Reconciliation ignores payments younger than this. */
const settlingMs = 11 * 60_000

/** What was lost at one provider; `found` is undefined if the provider cannot list its transactions. */
type Reconciled = { provider: string; charges: number; found: number | undefined }

/** Charges that only the providers know of, because our record of them is not in the restored database. */
export function lostCharges({ attempts, refunds, acceptances }: Evidence): Acceptance[] {
  const known = new Set([...attempts, ...refunds].map(({ reference }) => reference))
  return acceptances.filter(({ reference, kind }) => kind !== 'refund' && !known.has(reference))
}

/** How many of these charges the reconciliation reports as missing here, by provider. */
export async function reconcileLost(
  env: Env,
  lost: readonly Acceptance[],
  since: Date,
): Promise<Reconciled[]> {
  const clock = { now: () => new Date(Date.now() + settlingMs) }
  const deps = await createDeps(readConfig(env), { clock })
  try {
    const told: Reconciled[] = []
    for (const [provider, charges] of Map.groupBy(lost, (one) => one.provider)) {
      const { accountId } = await chooseAccount(deps, installationOrgId, { provider, accountId: undefined })
      const connector = await deps.connectors.load(installationOrgId, accountId)
      if (!connector?.listTransactions) told.push({ provider, charges: charges.length, found: undefined })
      else {
        const account = { ownerId: installationOrgId, accountId, provider }
        const found = new Set<string>()
        const settle = async (differences: readonly Difference[]): Promise<string[]> => {
          for (const { finding } of differences)
            if (finding.kind === 'missing_here') found.add(finding.reference)
          return []
        }
        await compareAccount(deps, account, { since, settle })
        const seen = charges.filter((one) => found.has(one.reference) || found.has(one.providerRef)).length
        told.push({ provider, charges: charges.length, found: seen })
      }
    }
    return told
  } finally {
    await deps.close()
  }
}
