import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { EgressPolicy } from '../../lib/egress-guard.ts'
import type { ChangeControl } from '../change-requests/record.ts'

export interface ProviderConfig {
  orgId: string
  configId: string
  provider: string
  country: string
  paymentMethod: string
  direction: string
  apiVersion: string | null
  priority: number
  isActive: boolean
  webhookRequired: boolean
  minAmount: string | null
  maxAmount: string | null
  description: string | null
  webhookUrl: string | null
  createdAt: Date
  updatedAt: Date
}

export type NewProviderConfig = Omit<ProviderConfig, 'orgId' | 'createdAt' | 'updatedAt'>

export interface StoredCredentials {
  orgId: string
  provider: string
  credentialsSealed: Buffer
  updatedAt: Date
}

export interface CredentialSummary {
  orgId: string
  provider: string
  /** The address to register with the provider. */
  webhookUrl: string
  updatedAt: Date
}

export interface ConfigDeps {
  db: Database
  cursorKey: Buffer
  corridors: { forget(): void }
}

export interface CredentialDeps {
  db: Database
  vault: Vault
  connectors: { forget(): void }
  webhookKey: Buffer
  publicUrl: string
  egressPolicy: EgressPolicy
  changeControl: ChangeControl
}
