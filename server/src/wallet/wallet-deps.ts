import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Wallets } from './wallet-chains.ts'

/** What moving crypto of our own takes. */
export interface WalletDeps {
  db: Database
  clock: Clock
  wallets: Wallets
}
