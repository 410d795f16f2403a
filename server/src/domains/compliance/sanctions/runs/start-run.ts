import type { Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { enqueue } from '../../../../kernel/engine/outbox.ts'
import { newId } from '../../../../lib/ids.ts'
import { insertRunAcrossOrgs, supersedeRunsAcrossOrgs } from './store.ts'

export const runJob = (runId: string) => ({ service: 'Sanctions', handler: 'screen', payload: { runId } })

/** In the transaction that publishes the version: it is in force exactly if everybody will be screened by it. */
export async function startRun(tx: Tx, versionId: string, at: Date): Promise<void> {
  const runId = newId()
  await supersedeRunsAcrossOrgs(tx, at)
  await insertRunAcrossOrgs(tx, { runId, versionId, startedAt: at })
  await enqueue(tx, installationOrgId, runJob(runId))
}
