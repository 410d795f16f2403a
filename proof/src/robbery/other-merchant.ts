/** What the provider reports about a payment of another of its merchants. */
export type OtherMerchant = {
  readonly state: 'completed' | 'failed' | 'reversed'
  readonly amount: string
  /** False: with a reference of the other merchant's own. */
  readonly has_reference?: boolean
}

/** These sign for all of their merchants with one key. */
export const sharedKeyProviders = ['pawapay', 'truelayer'] as const

/** Has the provider send a genuine message about a payment of another merchant to the installation's address. */
export const sendAsMerchant = (
  simulatorUrl: string,
  { provider, reference, message }: { provider: string; reference: string; message: OtherMerchant },
): Promise<Response> =>
  fetch(`${simulatorUrl}/${provider}/_webhooks/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, other_merchant: message }),
  })
