import { z } from 'zod'
import { gatherEvidence, type Witnesses } from './evidence.ts'
import type { Violation } from './violation.ts'
import { unqueryableProviders, unknowableAttempts } from './expected-exceptions.ts'
import type { PaymentsInstallation } from './installation.ts'

const sent = z.object({ webhooks: z.array(z.object({ reference: z.string(), outcome: z.string() })) })

/** Providers that cannot be polled only send webhooks: an outcome that was delivered must be ours. */
export async function unheard(
  witnesses: Witnesses & { installation: PaymentsInstallation },
): Promise<Violation[]> {
  const outcomes = new Map<string, string>()
  for (const provider of unqueryableProviders) {
    const response = await fetch(`${witnesses.installation.simulatorUrl}/${provider}/_webhooks`)
    for (const { reference, outcome } of sent.parse(await response.json()).webhooks)
      outcomes.set(`${provider} ${reference}`, outcome)
  }
  // Read after the deliveries, because a webhook is acknowledged only once its content has been committed.
  const evidence = await gatherEvidence(witnesses)
  return unknowableAttempts(evidence).flatMap(({ paymentId, provider, reference }) => {
    const theirs = evidence.transactions.get(reference)
    const isEnded = theirs && theirs.state !== 'pending' && theirs.state !== 'action_required'
    if (!isEnded || outcomes.get(`${provider} ${theirs.reference}`) !== 'delivered') return []
    const problem = `${provider} reported ${theirs.state} by webhook, but we have it as open`
    return [{ invariant: 'I10', subject: paymentId, problem }]
  })
}
