import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { ReconciliationDeps } from './record.ts'
import { longestLookBackMs, startOfComparison } from './rules.ts'
import { selectAccountsAcrossOrgs, selectLastGoodRunsAcrossOrgs } from './store.ts'

/**
 * Queues two jobs per account, so that an unreadable account does not delay the others: the comparison with what the
 * provider lists since the last good one, and the review of older payments.
 */
export async function queueAccounts(deps: ReconciliationDeps): Promise<void> {
  const now = await deps.db.now()
  const used = new Date(now.getTime() - longestLookBackMs)
  const { accounts, lastGood } = await deps.db.acrossOrgs(async (tx) => ({
    accounts: await selectAccountsAcrossOrgs(tx, used),
    lastGood: await selectLastGoodRunsAcrossOrgs(tx),
  }))
  await deps.db.batchAcrossOrgs(
    accounts.map(({ ownerId, accountId, provider, createdAt }) => {
      const since = startOfComparison(now, lastGood.get(accountId) ?? createdAt).toISOString()
      const account = { ownerId, accountId, provider }
      const run = { runId: newId(), startedAt: now.toISOString() }
      return enqueueStatement(ownerId, [
        {
          outboxId: newId(),
          service: 'Reconciliation',
          handler: 'account',
          payload: { ...account, ...run, since },
        },
        { outboxId: newId(), service: 'Reconciliation', handler: 'review', payload: account },
      ])
    }),
  )
}
