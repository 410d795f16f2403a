import { z } from 'zod'
import { dateTime, success, uuid } from '../../../../lib/requests/wire.ts'
import { listSources } from '../record.ts'
import type { ListStatus } from './list-versions.ts'
import type { ListVersion } from './record.ts'

const listVersion = z
  .object({
    list_version_id: uuid,
    source: z.enum(listSources),
    file_name: z.string(),
    sha256: z.string(),
    entries: z.int(),
    loaded_by: z.string(),
    published_at: dateTime.nullable(),
  })
  .meta({ id: 'SanctionsListVersion' })

const screeningRun = z
  .object({
    run_id: uuid,
    list_version_id: uuid,
    phase: z.enum(['beneficiaries', 'kyb', 'payers', 'done', 'superseded']),
    screened: z.int(),
    matched: z.int(),
    started_at: dateTime,
    finished_at: dateTime.nullable(),
  })
  .meta({ id: 'SanctionsScreeningRun' })

export const listStatusResponse = success(
  z.object({
    in_force: z.array(listVersion),
    versions: z.array(listVersion).meta({ description: 'The newest first, at most 50.' }),
    runs: z.array(screeningRun).meta({ description: 'The newest first, at most 50.' }),
  }),
)

const toVersionView = (version: ListVersion): z.input<typeof listVersion> => ({
  list_version_id: version.versionId,
  source: version.source,
  file_name: version.fileName,
  sha256: version.sha256,
  entries: version.entryCount,
  loaded_by: version.loadedBy,
  published_at: version.publishedAt?.toISOString() ?? null,
})

export const toListStatus = ({
  inForce,
  versions,
  runs,
}: ListStatus): z.input<typeof listStatusResponse>['data'] => ({
  in_force: inForce.map(toVersionView),
  versions: versions.map(toVersionView),
  runs: runs.map((run) => ({
    run_id: run.runId,
    list_version_id: run.versionId,
    phase: run.phase,
    screened: run.screened,
    matched: run.matched,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  })),
})
