import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { ReconciliationDeps } from './record.ts'
import { selectAccountsAcrossOrgs } from './store.ts'

const nightMs = 26 * 60 * 60_000

/** Queues one job per account, so that an unreadable account does not delay the others. */
export async function queueAccounts(deps: ReconciliationDeps): Promise<void> {
  const now = deps.clock.now()
  const since = new Date(now.getTime() - nightMs)
  const accounts = await deps.db.acrossOrgs((tx) => selectAccountsAcrossOrgs(tx, since))
  await deps.db.batchAcrossOrgs(
    accounts.map(({ ownerId, accountId, provider }) =>
      enqueueStatement(ownerId, [
        {
          outboxId: newId(),
          service: 'Reconciliation',
          handler: 'account',
          payload: {
            ownerId,
            accountId,
            provider,
            since: since.toISOString(),
            runId: newId(),
            startedAt: now.toISOString(),
          },
        },
      ]),
    ),
  )
}
