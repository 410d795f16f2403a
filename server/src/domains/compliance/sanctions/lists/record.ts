import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Log } from '../../../../lib/log.ts'
import type { ListSource } from '../record.ts'

/** A list as it was loaded from a file. */
export interface ListVersion {
  versionId: string
  source: ListSource
  fileName: string
  sha256: string
  entryCount: number
  loadedBy: string
  loadedAt: Date
  publishedAt: Date | null
}

export interface ListDeps {
  db: Database
  clock: Clock
  log: Log
}
