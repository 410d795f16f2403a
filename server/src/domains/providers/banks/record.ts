import type { Database } from '../../../kernel/db/database.ts'
import type { Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { ConnectorSource } from '../accounts/load-connector.ts'

export interface BankRow {
  provider: string
  country: string
  /** The value that callers send as `bank_code`. */
  code: string
  name: string
}

/** One bank, with every provider that knows it by this code. */
export interface KnownBank {
  code: string
  name: string
  providers: string[]
}

export interface BankDeps {
  db: Database
  clock: Clock
  connectors: ConnectorSource
  bankCache: Cache<BankRow[]>
  log: Log
}
