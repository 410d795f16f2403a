import type { KeyProbe } from '../../../connectors/kit/check/probe-keys.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { EgressPolicy } from '../../../lib/net/egress-guard.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'

/** A merchant account at a provider. */
export interface ProviderAccount {
  /** The owner: an organisation, or the installation. */
  orgId: string
  accountId: string
  provider: string
  label: string
  /** The provider's own id of the account, where it can be asked for it. */
  externalAccountId: string | null
  /** A retired account starts nothing new and finishes what it carries. */
  status: 'active' | 'retired'
  /** The operator has suspended it: nothing is sent through it, and its messages are still taken. */
  isSuspended: boolean
  /** When the keys were replaced; null if they are the first ones. */
  keysChangedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface SealedAccount extends ProviderAccount {
  /** Null for a rail that needs no keys. */
  credentialsSealed: Buffer | null
}

/** The account that carries something, and whose account it is. */
export interface Carrier {
  /** Null for the operator's wallet. */
  accountId: string | null
  custody: Custody
}

export interface AccountSummary extends ProviderAccount {
  /** The address to register with the provider. */
  webhookUrl: string
}

/** A provider's answer about the stored keys of an account. */
export interface CheckedKeys {
  account: ProviderAccount
  probe: KeyProbe
  checkedAt: Date
}

export interface AccountDeps {
  db: Database
  vault: Vault
  clock: Clock
  connectors: {
    identify(provider: string, credentials: unknown): Promise<string | undefined>
    probe(accountId: string): Promise<KeyProbe | undefined>
    invalidate(): void
  }
  /** How often the keys of one account may be checked. */
  limitKeyChecks: (accountId: string) => void
  corridors: { invalidate(): void }
  webhookKey: KeyRing
  publicUrl: string
  egressPolicy: EgressPolicy
  changeControl: ChangeControl
}
