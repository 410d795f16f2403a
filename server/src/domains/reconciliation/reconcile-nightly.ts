import { enqueueStatement } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import { compareAccount } from './compare-account.ts'
import { raiseFindings } from './raise-findings.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'
import { selectAccountsAcrossOrgs } from './store.ts'

const nightMs = 26 * 60 * 60_000

/** A job for each account, so that one that cannot be read holds up no other. */
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

/** More than these is one trouble and not many: they are enough to see it. */
const differencesLimit = 2_000

/** The keys of all differences. Of a provider without a list there is nothing to compare. */
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

/** Of those differences, the ones that are still there; the others were news on its way. */
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

/** Nobody would notice otherwise that an account is no longer looked at. */
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
