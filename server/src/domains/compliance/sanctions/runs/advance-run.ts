import type { CompiledQuery } from 'kysely'
import { screenSubjects } from '../matches/screen-subjects.ts'
import { runPhases, type RunDeps, type RunPhase, type ScreeningRun, type SubjectRow } from './record.ts'
import { findRunAcrossOrgs, updateProgressAcrossOrgs } from './store.ts'

const batchSize = 200
/** Until this process has the version in its memory. */
const retryMs = 1_000

/**
 * The engine's step: screens the next people and writes what it found together with how far it is, so a worker that dies
 * leaves nothing out and nothing half done. Returns the delay before the next step; nothing when everybody is screened.
 */
export async function advanceRun(deps: RunDeps, { runId }: { runId: string }): Promise<number | undefined> {
  const run = await deps.db.acrossOrgs((tx) => findRunAcrossOrgs(tx, runId))
  const phase = runPhases.find((one) => one === run?.phase)
  if (!run || run.finishedAt || phase === undefined) return undefined
  await deps.sanctions.refresh()
  if (!deps.sanctions.uses(run.versionId)) return retryMs
  const after =
    run.afterOrgId !== null && run.afterId !== null ? { orgId: run.afterOrgId, id: run.afterId } : undefined
  const rows = await deps.screenedSubjects[phase]({ after, limit: batchSize })
  const found = await screenRows(deps, rows)
  await writeProgress(deps, run, { rows, found })
  return 0
}

async function screenRows(deps: RunDeps, rows: readonly SubjectRow[]): Promise<CompiledQuery[]> {
  const found: CompiledQuery[] = []
  for (const row of rows) found.push(...(await screenSubjects(deps, row.orgId, row)).statements)
  return found
}

function nextPhase(phase: RunPhase): RunPhase {
  const at = runPhases.findIndex((one) => one === phase)
  return runPhases[at + 1] ?? 'done'
}

async function writeProgress(
  deps: RunDeps,
  run: ScreeningRun,
  { rows, found }: { rows: readonly SubjectRow[]; found: readonly CompiledQuery[] },
): Promise<void> {
  const last = rows.length === batchSize ? rows.at(-1) : undefined
  const phase = last ? run.phase : nextPhase(run.phase)
  await deps.db.acrossOrgs(async (tx) => {
    let matched = 0
    for (const statement of found) matched += (await tx.db.executeQuery(statement)).rows.length
    const isWritten = await updateProgressAcrossOrgs(tx, run, {
      phase,
      afterOrgId: last?.orgId ?? null,
      afterId: last?.id ?? null,
      screened: rows.reduce((sum, { subjects }) => sum + subjects.length, 0),
      matched,
      finishedAt: phase === 'done' ? deps.clock.now() : null,
    })
    if (!isWritten) deps.log.info({ runId: run.runId }, 'another worker has moved the screening on')
  })
}
