import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Breakers } from '../provider-configs/route-breakers.ts'
import type { ConnectorSource } from '../provider-configs/load-connector.ts'
import type { LookSchedule } from './look-schedule.ts'

/** What moving a payment takes. */
export interface PaymentDeps {
  db: Database
  clock: Clock
  vault: Vault
  connectors: ConnectorSource
  breakers: Breakers
  log: Log
  /** Where customers come back to, and the key that proves which payment they come back from. */
  publicUrl: string
  returnKey: Buffer
  /** After this long a sender that has written no outcome is taken for gone. */
  sendDeadlineMs: number
  looks: LookSchedule
}
