import type { Database } from '../../../../kernel/db/database.ts'
import type { Log } from '../../../../lib/log.ts'
import type { Parties, ScreeningDeps } from '../matches/record.ts'
import type { SanctionsIndex } from '../track-index.ts'

export const runPhases = ['beneficiaries', 'kyb', 'payers'] as const
export type RunPhase = (typeof runPhases)[number] | 'done' | 'superseded'

/** Screens everybody with a new version of a list, phase by phase. */
export interface ScreeningRun {
  runId: string
  versionId: string
  phase: RunPhase
  afterOrgId: string | null
  afterId: string | null
  screened: number
  matched: number
  startedAt: Date
  finishedAt: Date | null
}

/** Where a page begins: after the last subject of the one before. */
export interface SubjectPage {
  after: { orgId: string; id: string } | undefined
  limit: number
}

/** A row that may hold several people, or nobody. */
export interface SubjectRow extends Parties {
  orgId: string
  id: string
}

/** The owners of the people depend on this domain, so their lists are passed in. */
type ListSubjects = (this: void, page: SubjectPage) => Promise<SubjectRow[]>

export interface RunDeps extends ScreeningDeps {
  db: Database
  log: Log
  sanctions: SanctionsIndex
  screenedSubjects: Readonly<Record<(typeof runPhases)[number], ListSubjects>>
}
