/** How accepted breaks against the last release begin, each with its reason. A release empties the list. */
export const acceptedBreaks: Readonly<Record<string, string>> = {
  'providerConfigs.get (GET /v1/payments/provider-configs/{provider}/{config_id}) 200.':
    'The specification (4.15) shows the configuration without an envelope.',
  'ramps.initiate (POST /v1/payments-init/ramp) 200.response.payment_instructions.type=prompt':
    'Such a ramp has no payment instructions: the customer approves a prompt, so the object is empty.',
}
