export type Direction = 'payin' | 'payout'

export interface Failure {
  code: string
  /** Shown to the caller, so it never contains a provider's raw text. */
  message: string
}

/** A payment's state at the provider. `pending` waits for the customer or their bank; `processing` waits for the provider. */
export type ProviderState =
  | { state: 'pending' | 'processing' | 'completed' | 'canceled' }
  | { state: 'failed'; failure: Failure }
