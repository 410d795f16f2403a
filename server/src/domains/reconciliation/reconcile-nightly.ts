import { enqueueStatement } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { compareAccount } from './compare-account.ts'
import { raiseFindings } from './raise-findings.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'
import { selectAccountsAcrossOrgs } from './store.ts'

const nightMs = 26 * 60 * 60_000

/** Queues one job per account, so that an unreadable account does not delay the others. */
export async function handOutAccounts(deps: ReconciliationDeps): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - nightMs)
  const accounts = await deps.db.acrossOrgs((tx) => selectAccountsAcrossOrgs(tx, since))
  await deps.db.batchAcrossOrgs(
    accounts.map(({ ownerId, provider }) =>
      enqueueStatement(ownerId, [
        {
          outboxId: newId(),
          service: 'Reconciliation',
          handler: 'account',
          payload: { ownerId, provider, since: since.toISOString() },
        },
      ]),
    ),
  )
}

/** More differences than this have a common cause, which these are enough to show. */
const differencesLimit = 2_000

/** The keys of all differences; none for a provider that cannot list its transactions. */
export async function findDifferences(
  deps: ReconciliationDeps,
  account: Account,
  since: Date,
): Promise<string[]> {
  const connector = await deps.connectors.load(account.ownerId, account.provider)
  if (!connector?.listTransactions) return []
  const compared = await compareAccount(deps, account, since)
  return compared
    .flatMap(({ finding }) => (finding ? [findingKeyOf(account.provider, finding)] : []))
    .slice(0, differencesLimit)
}

/** Raises only differences that still exist in a second comparison; the others were updates in transit. */
export async function raiseStanding(
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

/** Without this exception nobody would notice that an account is no longer reconciled. */
export async function reportUnread(deps: ReconciliationDeps, { ownerId, provider }: Account): Promise<void> {
  await deps.db.batchAcrossOrgs([
    insertException(ownerId, {
      kind: 'reconciliation_failed',
      paymentId: null,
      provider,
      summary: `The transactions of ${provider} could not be compared with ours last night.`,
      suggestedAction: 'Check the credentials of the account, then run the reconciliation.',
      findingKey: `reconciliation_failed ${provider}`,
    }),
  ])
}
