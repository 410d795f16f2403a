import type { PaymentMethod } from './connector.ts'
import type { RampDirection } from './ramp-details.ts'
import type { Direction } from './state.ts'

/** What a provider can do with an account in which everything is enabled. */
export interface CatalogEntry {
  provider: string
  capabilities: readonly {
    direction: Direction | RampDirection
    method: PaymentMethod
    countries: readonly string[]
    currencies: readonly string[]
  }[]
  features: {
    refunds: boolean
    oneTimePasswords: boolean
    cancellation: boolean
    webhooks: boolean
    accountNames: boolean
    bankLists: boolean
    networkLists: boolean
    transactionLists: boolean
    disputes: boolean
    /** The provider reports which merchant account the keys belong to. */
    identifiesKeys: boolean
    accountCurrencies: readonly string[]
  }
  /** How a webhook proves that it comes from the provider. */
  webhookSignature: string | null
  sandboxHosts: readonly string[]
}
