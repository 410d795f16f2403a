import type { Money } from '../../lib/money.ts'
import type { Payee } from './connector.ts'

/** What a provider that does both legs is told. */
export interface RampDetails {
  crypto: Money
  network: string
  /** Where the crypto of an on-ramp goes. */
  walletAddress?: string | undefined
  /** Who pays the fiat of an on-ramp, or gets that of an off-ramp. */
  person: Payee
  customer: {
    id: string
    type: 'retail' | 'business'
    businessId?: string | undefined
    businessName?: string | undefined
  }
  returnUrl: string
}
