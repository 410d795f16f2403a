import type { Failure } from '../../../connectors/kit/state.ts'
import type { Approver } from '../../people/change-requests/record.ts'
import { isInDoubt } from '../attempts/rules.ts'
import { openAttempt, type LoadedPayment, type StoredAttempt } from '../record.ts'
import { isSettled, type Fact } from '../lifecycle/rules.ts'
import { changedSince, nothingReturned, notInDoubt } from './errors.ts'
import type { Doubt, ResolvedOutcome, Subject } from './record.ts'

const resolvedFailed: Failure = {
  code: 'RESOLVED_FAILED',
  message: 'Two people established that the payment failed.',
}

export const returned: Failure = {
  code: 'RETURNED',
  message: 'The payout was returned.',
}

/** Pooled money is decided about by the operator: two administrators of one organisation must not create it. */
export const approverFor = ({ custody }: Subject): Approver =>
  custody === 'pooled' ? 'operator' : 'administrator'

/** What people decided has the same consequences as a provider's word, and is marked in the provider's status. */
export const factOf = (outcome: 'completed' | 'failed', providerRef: string | null): Fact => ({
  kind: 'accepted',
  providerRef,
  providerStatus: `resolved_${outcome}`,
  state: outcome === 'completed' ? { state: 'completed' } : { state: 'failed', failure: resolvedFailed },
})

/**
 * The attempt that people may decide about: one in doubt, one that people carry out, or one of which the provider has
 * named another amount, because nothing that it says afterwards completes it.
 */
export function resolvableAttempt(
  loaded: LoadedPayment,
  outcome: ResolvedOutcome,
  doubt: Doubt,
): StoredAttempt {
  const { status, direction } = loaded.payment
  if (outcome === 'returned') {
    const paid = loaded.attempts.find(({ state }) => state === 'succeeded')
    if (status !== 'completed' || direction !== 'outbound' || !paid) throw nothingReturned(status)
    return paid
  }
  const attempt = openAttempt(loaded)
  if (isSettled(status) || !attempt) throw notInDoubt(status)
  const isManual = attempt.provider === 'manual' && attempt.state === 'accepted'
  const hasOtherAmount = doubt.hasOtherAmount && attempt.state !== 'sending'
  if (!isManual && !hasOtherAmount && !isInDoubt(attempt, doubt)) throw notInDoubt(status)
  return attempt
}

export function assertSame(attempt: Pick<StoredAttempt, 'attemptNo'>, proposed: number | undefined): void {
  if (attempt.attemptNo !== proposed) throw changedSince()
}

/** People decided that the payout came back, and a provider that reverses it agrees. */
export const confirmsReturn = ({ outcomeCode, resolutionId }: StoredAttempt): boolean =>
  resolutionId !== null && outcomeCode === returned.code

/** The provider reports a payout as paid after people decided that it came back. */
export const contradictsReturn = (attempt: StoredAttempt, fact: Fact | undefined): boolean =>
  confirmsReturn(attempt) && fact?.kind === 'accepted' && fact.state.state === 'completed'
