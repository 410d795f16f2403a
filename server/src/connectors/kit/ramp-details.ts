/** The direction of a ramp of which one provider carries out both legs: fiat to crypto, or crypto to fiat. */
export type RampDirection = 'on_ramp' | 'off_ramp'

export interface Wallet {
  network: string
  address: string
}

/** Where the customer sends crypto. */
export interface CryptoInstructions {
  address: string
  network: string
  /** For networks on which several customers share an address. */
  memo?: string
  expires_at?: string
}
