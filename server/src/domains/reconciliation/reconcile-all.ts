import type { PaymentDeps } from '../payments/payment-deps.ts'
import { reconcileProvider } from './reconcile-provider.ts'
import { selectReconcilableAcrossOrgs } from './store.ts'

const nightMs = 26 * 60 * 60_000

/** The nightly run: every organisation with every provider that it used lately. */
export async function reconcileAll(deps: PaymentDeps): Promise<number> {
  const since = new Date(deps.clock.now().getTime() - nightMs)
  const pairs = await deps.db.acrossOrgs((tx) => selectReconcilableAcrossOrgs(tx, since))
  let findings = 0
  for (const { orgId, provider } of pairs) {
    const connector = await deps.connectors.load(orgId, provider)
    if (!connector?.listTransactions) continue
    findings += (await reconcileProvider(deps, orgId, { provider, since })).findings.length
  }
  return findings
}
