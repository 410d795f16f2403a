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
  /** Whose account at the provider it came through: an organisation's, or the installation's. */
  ownerId: string
  provider: string
  deposit: ProviderDeposit
  /** The inbox row of the webhook, kept by the owner of the provider's account: what makes a repeat fail. */
  inbox(result: string): CompiledQuery
  /** More for the same transaction. */
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
