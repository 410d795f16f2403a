import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import type { Evidence } from './evidence.ts'

/** For each kind of exception, the provider states that justify it. */
const brokenBy: Readonly<Record<string, readonly string[]>> = {
  // This includes a reversal whose webhook arrived before that of the success.
  late_success: ['failed', 'reversed'],
  reversed_after_completion: ['reversed', 'failed'],
  // The provider reported it without a signature, and could not be asked then.
  money_after_end: ['failed'],
  refund_after_failure: ['failed'],
  refund_reversed: ['reversed', 'failed'],
  // People decided from the provider’s statement, and the provider changed its mind.
  resolution_contradicted: ['failed', 'reversed'],
}

/** Exceptions that only inform: the ledger already follows the provider. */
const informedBy: Readonly<Record<string, readonly string[]>> = {
  payin_reversed: ['reversed', 'failed'],
  payout_returned: ['reversed', 'failed'],
  returned_to_account: ['reversed', 'failed'],
  refund_elsewhere: ['completed'],
  // A refund of ours was under way when the provider reversed the payment.
  refund_exceeds_payment: ['reversed', 'failed'],
}

/** Payments that are rightly in manual review, because the provider reversed its own outcome. */
function wordBroken(evidence: Evidence): Set<string> {
  const { attempts, exceptions, transactions } = evidence
  const hasBeen = historyOf(evidence)
  const told = exceptions.flatMap(({ paymentId, kind }) =>
    paymentId !== null && hasBeen(paymentId, brokenBy[kind] ?? []) ? [paymentId] : [],
  )
  // The provider said "failed", paid later, and the webhook was lost: only reconciliation can find that.
  const untold = attempts.flatMap(({ paymentId, reference, state }) =>
    state === 'failed' && transactions.get(reference)?.state === 'completed' && hasBeen(paymentId, ['failed'])
      ? [paymentId]
      : [],
  )
  return new Set([...told, ...untold])
}

/** Whether a provider's transaction of the payment has been in one of the states. */
function historyOf({ attempts, refunds, histories }: Evidence) {
  const references = Map.groupBy([...attempts, ...refunds], ({ paymentId }) => paymentId)
  return (paymentId: string, states: readonly string[]): boolean =>
    (references.get(paymentId) ?? []).some(({ reference }) =>
      states.some((state) => histories.get(reference)?.has(state)),
    )
}

/** Payments about which an exception rightly informs, beside those in manual review. */
export function rightlyTold(evidence: Evidence): Set<string> {
  const hasBeen = historyOf(evidence)
  const informed = evidence.exceptions.flatMap(({ paymentId, kind }) =>
    paymentId !== null && hasBeen(paymentId, informedBy[kind] ?? []) ? [paymentId] : [],
  )
  return wordBroken(evidence).union(new Set(informed))
}

type Operations = Readonly<Record<string, readonly Transaction['operation'][]>>

/** Without an answer these cannot be polled: only their webhook reveals the outcome, and it may be lost too. */
const mute: Operations = {
  adyen: ['collect', 'refund'],
  mpesa: ['collect', 'refund'],
  truelayer: ['collect', 'payout'],
}
/** Of what it accepted, too, this one tells the outcome by webhook only. */
const muteForever: Operations = { adyen: ['collect'] }
/** These can be polled, but for a request they never received they only report that they do not know it. */
const denyNothing: Operations = { mpesa: ['payout'], truelayer: ['refund'] }

export const unqueryableProviders: readonly string[] = Object.keys(mute)

type Unseen = { paymentId: string; provider: string; reference: string }

/**
 * Attempts that no poll can resolve: they go to manual review after a day, which is longer than any run. The check of
 * the webhooks shows that none of their outcomes was delivered.
 */
export function unknowableAttempts({ payments, attempts, refunds, transactions }: Evidence): Unseen[] {
  const outbound = new Set(payments.flatMap((one) => (one.direction === 'outbound' ? [one.paymentId] : [])))
  const isHidden = ({ provider, reference }: Unseen, operation: Transaction['operation']): boolean =>
    mute[provider]?.includes(operation) === true ||
    (denyNothing[provider]?.includes(operation) === true && !transactions.has(reference))
  return [
    ...attempts.filter((attempt) => {
      const operation = outbound.has(attempt.paymentId) ? 'payout' : 'collect'
      return attempt.state === 'accepted'
        ? muteForever[attempt.provider]?.includes(operation)
        : attempt.state === 'unknown' && isHidden(attempt, operation)
    }),
    ...refunds.filter(
      (refund) => refund.state !== 'completed' && refund.state !== 'failed' && isHidden(refund, 'refund'),
    ),
  ]
}

/** What the provider's statement says about an attempt in doubt; undefined while it says that it is under way. */
export function outcomeOnStatement(transaction: Transaction | undefined): 'completed' | 'failed' | undefined {
  switch (transaction?.state) {
    case 'pending':
    case 'action_required':
      return undefined
    case 'completed':
      return 'completed'
    case 'failed':
    case 'canceled':
    case 'reversed':
    case undefined:
      return 'failed'
  }
}

/** Attempts that people could have decided about, and have not. */
export function undecidedAttempts(evidence: Evidence): Unseen[] {
  const open = new Set(
    evidence.attempts.filter(({ state }) => state === 'unknown').map(({ reference }) => reference),
  )
  return unknowableAttempts(evidence).filter(
    ({ reference }) =>
      open.has(reference) && outcomeOnStatement(evidence.transactions.get(reference)) !== undefined,
  )
}

/** Payments that only a person can resolve. */
export const leftToPeople = (evidence: Evidence): Set<string> =>
  wordBroken(evidence).union(new Set(unknowableAttempts(evidence).map(({ paymentId }) => paymentId)))
