import { z } from 'zod'
import { gatherEvidence, type Witnesses } from './evidence.ts'
import type { Violation } from './invariants.ts'
import { muteProviders, outOfSight } from './expected-exceptions.ts'
import type { PaymentsInstallation } from './installation.ts'

const sent = z.object({ webhooks: z.array(z.object({ reference: z.string(), outcome: z.string() })) })

/** Whoever only tells and cannot be asked must be heard: what we took from them may not be left unknown. */
export async function unheard(
  witnesses: Witnesses & { installation: PaymentsInstallation },
): Promise<Violation[]> {
  const outcomes = new Map<string, string>()
  for (const provider of muteProviders) {
    const response = await fetch(`${witnesses.installation.simulatorUrl}/${provider}/_webhooks`)
    for (const { reference, outcome } of sent.parse(await response.json()).webhooks)
      outcomes.set(`${provider} ${reference}`, outcome)
  }
  // Read after what was delivered, because a webhook is answered when all that it says has been written.
  const evidence = await gatherEvidence(witnesses)
  return outOfSight(evidence).flatMap(({ paymentId, provider, reference }) => {
    const theirs = evidence.transactions.get(reference)
    const isEnded = theirs && theirs.state !== 'pending' && theirs.state !== 'action_required'
    if (!isEnded || outcomes.get(`${provider} ${theirs.reference}`) !== 'delivered') return []
    const problem = `${provider} told us that it is ${theirs.state}, and we do not know`
    return [{ invariant: 'I10', subject: paymentId, problem }]
  })
}
