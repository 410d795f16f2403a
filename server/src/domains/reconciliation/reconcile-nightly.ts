import { enqueueStatement } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { compareAccount, raiseFindings } from './reconcile-account.ts'
import { selectAccountsAcrossOrgs, type Account } from './store.ts'

const nightMs = 26 * 60 * 60_000

/** A job for each account, so that one that cannot be read holds up no other. */
export async function handOutAccounts(deps: PaymentDeps): Promise<void> {
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

/** Of a provider without a list there is nothing to compare. */
export async function reconcileAccount(deps: PaymentDeps, account: Account, since: Date): Promise<void> {
  const connector = await deps.connectors.load(account.ownerId, account.provider)
  if (connector?.listTransactions)
    await raiseFindings(deps, account.provider, await compareAccount(deps, account, since))
}

/** Nobody would notice otherwise that an account is no longer looked at. */
export async function reportUnread(deps: PaymentDeps, { ownerId, provider }: Account): Promise<void> {
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
