import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { CorridorSource } from '../../providers/configs/list-corridor.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { ConnectorSource } from '../../providers/accounts/load-connector.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

/** The bank details to pay into; sealed at rest. */
export interface AccountDetails {
  accountNumber: string
  accountName: string
  bankName: string
  sortCode?: string | undefined
  routingNumber?: string | undefined
  iban?: string | undefined
}

export interface VirtualAccount {
  orgId: string
  accountId: string
  userId: string
  customerId: string | null
  name: string
  currency: string
  accountType: 'currency' | 'escrow'
  status: 'active' | 'frozen' | 'closed'
  /** The id of the freeze in events, while the account is frozen. */
  freezeId: string | null
  provider: string
  /** The account at the provider that opened it; null for an internal one. */
  providerAccountId: string | null
  /** The custody of its money, fixed when it is opened. */
  custody: Custody
  detailsSealed: Buffer | null
  availableMinor: bigint
  heldMinor: bigint
  createdAt: Date
  updatedAt: Date
}

export interface AccountFilters {
  userId: string | undefined
  customerId: string | undefined
  currency: string | undefined
  status: string | undefined
}

export interface NewAccountRow {
  accountId: string
  userId: string
  customerId: string | null
  name: string
  currency: string
  accountType: VirtualAccount['accountType']
  provider: string
  providerAccountId: string | null
  custody: Custody
  detailsSealed: Buffer | null
  numberIndex: Buffer | null
}

export interface OpenedVirtualAccount extends VirtualAccount {
  details: AccountDetails | null
}

export interface NewAccount {
  orgId: string
  userId: string
  customerId: string | null
  name: string | null
  currency: string
}

export interface AccountDeps {
  db: Database
  vault: Vault
  connectors: ConnectorSource
  corridors: CorridorSource
  accountNumberKey: KeyRing
}
