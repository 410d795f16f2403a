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
