import type { Database } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { requeueWork } from '../../../../kernel/engine/requeue.ts'
import type { ScreeningRun } from './record.ts'
import { runJob } from './start-run.ts'
import { selectOpenRunsAcrossOrgs } from './store.ts'

/** Covers every run that has not ended. */
export const requeueRuns = (deps: { db: Database }): Promise<number> =>
  requeueWork<ScreeningRun>(deps.db, {
    read: (tx, after, limit) => selectOpenRunsAcrossOrgs(tx, after?.runId, limit),
    jobOf: ({ runId }) => ({ orgId: installationOrgId, ...runJob(runId) }),
  })
