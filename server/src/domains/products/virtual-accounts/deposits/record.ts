import type { CompiledQuery } from 'kysely'
import type { ProviderDeposit } from '../../../../connectors/kit/accounts.ts'
import type { ScreeningDeps } from '../../../compliance/sanctions/matches/record.ts'
import type { ProviderAccount } from '../../../providers/accounts/record.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'

export interface DepositDeps extends ScreeningDeps {
  accountNumberKey: KeyRing
}

export interface Arrival {
  /** The account at the provider that reports it. */
  account: Pick<ProviderAccount, 'orgId' | 'accountId' | 'provider'>
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
  /** The account that received it. */
  accountId: string
  providerRef: string
  amountMinor: bigint
  currency: string
  senderSealed: Buffer
  status: 'open' | 'assigned' | 'returned'
}
