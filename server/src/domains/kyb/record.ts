import type { KybProvider, KybStart } from '../../connectors/kit/kyb-provider.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { KybState, KybStatus } from './rules.ts'

export interface KybRow extends KybState {
  orgId: string
  name: string
  customerId: string | null
  isFinal: boolean
  eventCount: number
}

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
