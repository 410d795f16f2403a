import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Deployment } from '../../../kernel/engine/deployments.ts'
import type { OutboxBacklog } from '../../../kernel/engine/outbox.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { AccountHealth } from '../../payments/reads/provider-health/record.ts'

export interface PlatformDeps {
  db: Database
  listOperators(this: void, tx: Tx): Promise<readonly unknown[]>
  clock: Clock
  /** The address is undefined where workers are registered as part of their deployment. */
  engineAdmin: { adminUrl: string | undefined; namespace: string }
  /** One probe for each dependency; the name of the engine's is `engine`. */
  probes: Readonly<Record<string, () => Promise<void>>>
}

/** What is unknown, because it could not be asked, is null. */
export interface EngineState {
  isReachable: boolean
  deployments: Deployment[] | null
  pausedJobs: number | null
}

export interface DatabaseState {
  postgresVersion: string
  migrations: { applied: number; latest: string | null }
  /** Connections of relays, of which each worker has one. */
  workers: number
}

export interface PlatformStatus {
  version: string
  database: DatabaseState
  expectedMigrations: string[]
  operators: number
  engine: EngineState
  outbox: OutboxBacklog
  openExceptions: { kind: string; count: number }[]
  providers: AccountHealth[]
  unreadablePayments: number
  checkedAt: Date
}
