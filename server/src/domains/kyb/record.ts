import type { KybProvider, KybStart } from '../../connectors/kit/kyb-provider.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { KybStatus } from '../organizations/record.ts'

export type StartedKyb = Extract<KybStart, { kind: 'started' }> & {
  orgId: string
  provider: string
  status: KybStatus
}

export interface KybDeps {
  db: Database
  log: Log
  kyb: KybProvider | undefined
}
