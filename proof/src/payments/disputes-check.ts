import type { Evidence } from './evidence.ts'
import type { Violation } from './violation.ts'

/**
 * We book no movement that the provider did not make, and know no dispute that it does not have. A message that was
 * lost leaves us behind it until the next comparison, which is later than any run.
 */
export function disputesDiffer({ disputes, theirDisputes }: Evidence): Violation[] {
  return disputes.flatMap(({ disputeId, provider, providerRef, state, moves }) => {
    const theirs = theirDisputes.get(`${provider} ${providerRef}`)
    const problem = !theirs
      ? `${provider} has no such dispute`
      : moves > theirs.moves
        ? `${moves} movements are booked, and ${provider} made ${theirs.moves}`
        : state === 'won' && /lost|accepted/i.test(theirs.status)
          ? `it is won here, and ${provider} says ${theirs.status}`
          : undefined
    return problem === undefined ? [] : [{ invariant: 'I10', subject: disputeId, problem }]
  })
}
