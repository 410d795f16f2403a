import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import type { Evidence } from './evidence.ts'

/** By the kind of an exception, what a provider must have said of a transaction for it to be right. */
const brokenBy: Readonly<Record<string, readonly string[]>> = {
  // Also of a reversal whose message overtook that of the success.
  late_success: ['failed', 'reversed'],
  reversed_after_completion: ['reversed', 'failed'],
  refund_after_failure: ['failed'],
  refund_reversed: ['reversed', 'failed'],
}

/** Payments of which a person was told, and rightly: the provider itself has gone back on its word. */
export function wordBroken(evidence: Evidence): Set<string> {
  const { attempts, refunds, exceptions, histories, transactions } = evidence
  const references = Map.groupBy([...attempts, ...refunds], ({ paymentId }) => paymentId)
  const hasBeen = (paymentId: string, states: readonly string[]): boolean =>
    (references.get(paymentId) ?? []).some(({ reference }) =>
      states.some((state) => histories.get(reference)?.has(state)),
    )
  const told = exceptions.flatMap(({ paymentId, kind }) =>
    paymentId !== null && hasBeen(paymentId, brokenBy[kind] ?? []) ? [paymentId] : [],
  )
  // It said "failed", paid after all and told nobody, its message being lost: only a reconciliation can find that.
  const untold = attempts.flatMap(({ paymentId, reference, state }) =>
    state === 'failed' && transactions.get(reference)?.state === 'completed' && hasBeen(paymentId, ['failed'])
      ? [paymentId]
      : [],
  )
  return new Set([...told, ...untold])
}

type Operations = Readonly<Record<string, readonly Transaction['operation'][]>>

/** Without an answer there is nothing to ask these with: only their own message tells, and it may be lost as well. */
const mute: Operations = {
  adyen: ['collect', 'refund'],
  mpesa: ['collect', 'refund'],
  truelayer: ['collect', 'payout'],
}
/** These can be asked, but of what they never had they say only that they do not know. */
const denyNothing: Operations = { mpesa: ['payout'], truelayer: ['refund'] }

export const muteProviders: readonly string[] = Object.keys(mute)

export type Unseen = { paymentId: string; provider: string; reference: string }

/** What no look can clear up: a person is told of it in the end, after a time that no run has. */
export function outOfSight({ payments, attempts, refunds, transactions }: Evidence): Unseen[] {
  const outbound = new Set(payments.flatMap((one) => (one.direction === 'outbound' ? [one.paymentId] : [])))
  const isHidden = ({ provider, reference }: Unseen, operation: Transaction['operation']): boolean =>
    mute[provider]?.includes(operation) === true ||
    (denyNothing[provider]?.includes(operation) === true && !transactions.has(reference))
  return [
    ...attempts.filter(
      (attempt) =>
        attempt.state === 'unknown' &&
        isHidden(attempt, outbound.has(attempt.paymentId) ? 'payout' : 'collect'),
    ),
    ...refunds.filter(
      (refund) => refund.state !== 'completed' && refund.state !== 'failed' && isHidden(refund, 'refund'),
    ),
  ]
}

/** What only a person can settle. */
export const leftToPeople = (evidence: Evidence): Set<string> =>
  wordBroken(evidence).union(new Set(outOfSight(evidence).map(({ paymentId }) => paymentId)))
