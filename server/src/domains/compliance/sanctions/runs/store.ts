import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { RunPhase, ScreeningRun } from './record.ts'

const columns = sql`run_id as "runId", version_id as "versionId", phase, after_org_id as "afterOrgId",
  after_id as "afterId", screened::integer, matched::integer, started_at as "startedAt", finished_at as "finishedAt"`

export async function insertRunAcrossOrgs(
  tx: Tx,
  run: Pick<ScreeningRun, 'runId' | 'versionId' | 'startedAt'>,
): Promise<void> {
  await sql`
    insert into sanctions_runs (run_id, version_id, phase, started_at)
    values (${run.runId}, ${run.versionId}, 'beneficiaries', ${run.startedAt})`.execute(tx.db)
}

/** The newer run screens by the newer lists, so the older ones need not end. */
export async function supersedeRunsAcrossOrgs(tx: Tx, at: Date): Promise<void> {
  await sql`
    update sanctions_runs set phase = 'superseded', finished_at = ${at} where finished_at is null`.execute(
    tx.db,
  )
}

export async function findRunAcrossOrgs(tx: Tx, runId: string): Promise<ScreeningRun | undefined> {
  const { rows } = await sql<ScreeningRun>`
    select ${columns} from sanctions_runs where run_id = ${runId}`.execute(tx.db)
  return rows[0]
}

export async function selectRunsAcrossOrgs(tx: Tx, limit: number): Promise<ScreeningRun[]> {
  const { rows } = await sql<ScreeningRun>`
    select ${columns} from sanctions_runs order by started_at desc limit ${limit}`.execute(tx.db)
  return rows
}

export async function selectOpenRunsAcrossOrgs(
  tx: Tx,
  afterRunId: string | undefined,
  limit: number,
): Promise<ScreeningRun[]> {
  const { rows } = await sql<ScreeningRun>`
    select ${columns} from sanctions_runs
    where finished_at is null and (${afterRunId ?? null}::uuid is null or run_id > ${afterRunId ?? null})
    order by run_id limit ${limit}`.execute(tx.db)
  return rows
}

interface Progress {
  phase: RunPhase
  afterOrgId: string | null
  afterId: string | null
  screened: number
  matched: number
  finishedAt: Date | null
}

/** False if another worker has moved it, or a newer run replaced it. */
export async function updateProgressAcrossOrgs(tx: Tx, before: ScreeningRun, to: Progress): Promise<boolean> {
  const { rows } = await sql`
    update sanctions_runs set phase = ${to.phase}, after_org_id = ${to.afterOrgId}, after_id = ${to.afterId},
      screened = screened + ${to.screened}, matched = matched + ${to.matched}, finished_at = ${to.finishedAt}
    where run_id = ${before.runId} and phase = ${before.phase}
      and after_id is not distinct from ${before.afterId} and after_org_id is not distinct from ${before.afterOrgId}
    returning run_id`.execute(tx.db)
  return rows.length === 1
}
