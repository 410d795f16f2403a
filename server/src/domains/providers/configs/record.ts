import type { Database } from '../../../kernel/db/database.ts'
import type { Carrier } from '../accounts/record.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export interface ProviderConfig {
  orgId: string
  configId: string
  provider: string
  country: string
  paymentMethod: string
  direction: string
  /** The account that it uses; null: its owner's only active one. */
  accountId: string | null
  priority: number
  isActive: boolean
  minAmount: string | null
  maxAmount: string | null
  description: string | null
  createdAt: Date
  updatedAt: Date
}

export type NewProviderConfig = Omit<ProviderConfig, 'orgId' | 'createdAt' | 'updatedAt'>

/** The amounts that a global configuration allows. */
type AmountRange = Pick<ProviderConfig, 'minAmount' | 'maxAmount'>

/** A configuration with the account that it uses. */
export interface RoutableConfig extends ProviderConfig {
  /** Undefined if it cannot be used; `reason` explains why. */
  carrier: Carrier | undefined
  reason: string | undefined
  /** Of an organisation's configuration of the installation's account: the amount must fit one of these. */
  operatorBounds: AmountRange[] | undefined
}

export interface ConfigDeps {
  db: Database
  cursorKey: KeyRing
  corridors: { invalidate(): void }
}
