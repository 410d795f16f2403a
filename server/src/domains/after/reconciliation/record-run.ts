import type { Account, ReconciliationDeps, ReconciliationRun } from './record.ts'
import { insertRun } from './store.ts'

export type RunOutcome = Pick<ReconciliationRun, 'status' | 'checked' | 'findings'>

interface NightlyRun extends Account {
  since: string
  runId: string
  startedAt: string
}

/** Records what a nightly comparison found, for the owner of the account. */
export async function recordRun(
  deps: ReconciliationDeps,
  { ownerId, accountId, provider, since, runId, startedAt }: NightlyRun,
  outcome: RunOutcome,
): Promise<void> {
  await deps.db.batchAcrossOrgs([
    insertRun(ownerId, {
      runId,
      provider,
      accountId,
      origin: 'nightly',
      requestedBy: null,
      since: new Date(since),
      startedAt: new Date(startedAt),
      finishedAt: await deps.db.now(),
      ...outcome,
    }),
  ])
}
