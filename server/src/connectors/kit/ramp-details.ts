import type { Money } from '../../lib/money.ts'
import type { Payee } from './connector.ts'

/** A provider that does both legs of a ramp itself: fiat in and crypto out, or the other way round. */
export type RampDirection = 'on_ramp' | 'off_ramp'

export interface Wallet {
  network: string
  address: string
}

/** Where a customer sends crypto to. */
export interface CryptoInstructions {
  address: string
  network: string
  /** For networks on which many share an address. */
  memo?: string
  expires_at?: string
}

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
