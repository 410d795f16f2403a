import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'

/** A time in which an account is not to be used if another one can be. */
export interface MaintenanceWindow {
  /** The owner of the account: an organisation, or the installation. */
  orgId: string
  windowId: string
  accountId: string
  provider: string
  startsAt: Date
  endsAt: Date
  reason: string | null
  createdBy: string
  createdAt: Date
}

/** The windows in the memory of a process. */
export type OngoingWindow = Pick<MaintenanceWindow, 'accountId' | 'startsAt' | 'endsAt'>

export interface MaintenanceDeps {
  db: Database
  clock: Clock
  /** Applies a change in this process at once; other processes follow within a second. */
  routingSignals: { refresh(): Promise<void> }
}
