import type { CompiledQuery } from 'kysely'
import type { ProviderDeposit } from '../../../connectors/kit/accounts.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'

export interface DepositDeps {
  db: Database
  vault: Vault
  clock: Clock
  accountNumberKey: Buffer
}

export interface Arrival {
  /** The owner of the account at the provider: an organisation or the installation. */
  ownerId: string
  provider: string
  deposit: ProviderDeposit
  /** Inserts the webhook's inbox row, whose unique key makes a repeat fail. */
  inbox(result: string): CompiledQuery
  /** Further statements for the same transaction. */
  extraStatements?: readonly CompiledQuery[] | undefined
}

export interface SuspendedDeposit {
  orgId: string
  exceptionId: string
  provider: string
  providerRef: string
  amountMinor: bigint
  currency: string
  senderSealed: Buffer
  status: 'open' | 'assigned' | 'returned'
}
