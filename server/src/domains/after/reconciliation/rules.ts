import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import { formatMinor, isSameMoney } from '../../../lib/money/money.ts'
import { isOpen, isReversal } from '../../payments/lifecycle/rules.ts'
import type { Finding, FindingKind, OwnAttempt, OwnRefund } from './record.ts'

export const findingKinds = [
  'missing_here',
  'missing_there',
  'amount_differs',
  'state_differs',
  'deposit_missed',
  'deposit_taken_back',
  'reversal_missed',
  'refund_missed',
] as const satisfies readonly FindingKind[]

const hourMs = 60 * 60_000
/** What every comparison covers, and how far one looks back at most. */
export const comparedNightlyMs = 26 * hourMs
export const longestLookBackMs = 90 * 24 * hourMs
const overlapMs = 2 * hourMs

/** Where the last good comparison ended, so that a night that failed is made up for. */
export function startOfComparison(now: Date, lastGood: Date): Date {
  const nightlyMs = now.getTime() - comparedNightlyMs
  const leftMs = Math.min(nightlyMs, lastGood.getTime() - overlapMs)
  return new Date(Math.max(leftMs, now.getTime() - longestLookBackMs))
}

/** More differences than this have a common cause, which these are enough to show. */
export const differencesLimit = 2_000

export const totalOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** An attempt that has just ended may have an older state in the provider's list. */
export const isJustEnded = (attempt: OwnAttempt, until: Date): boolean =>
  !isOpen(attempt.state) && attempt.updatedAt >= until

/** Stays the same from run to run, so that an open exception is not raised twice. */
export const findingKeyOf = (provider: string, { kind, reference }: Finding): string =>
  `${kind} ${provider} ${reference}`

export const missingHere = (theirs: ProviderTransaction): Finding => {
  const reference = theirs.reference ?? theirs.providerRef
  const { deposit } = theirs
  if (deposit && theirs.state.state === 'completed')
    return {
      kind: 'deposit_missed',
      reference,
      paymentId: null,
      summary: `${amountOf(theirs.amount)} came to a virtual account (${reference}), and the provider’s webhook did not. It is booked now.`,
      deposit,
    }
  return {
    kind: 'missing_here',
    reference,
    paymentId: null,
    summary: `The provider has ${theirs.providerStatus} ${amountOf(theirs.amount)} under ${reference}, which no payment here has.`,
  }
}

/** A deposit that we have booked, and that the provider has not any more. */
export function knownElsewhere(theirs: ProviderTransaction): Finding | undefined {
  if (!theirs.deposit || !isReversal(theirs.state)) return undefined
  const reference = theirs.reference ?? theirs.providerRef
  return {
    kind: 'deposit_taken_back',
    reference,
    paymentId: null,
    summary: `The provider took back a deposit of ${amountOf(theirs.amount)} (${reference}, ${theirs.providerStatus}) that is booked here. Nothing was changed.`,
  }
}

/** Undefined when both sides agree. */
export function compare(parts: readonly ProviderTransaction[], ours: OwnAttempt): Finding | undefined {
  const theirs = mergeParts(parts)
  if (!theirs) return undefined
  const base = { reference: ours.reference, paymentId: ours.paymentId }
  if (!isSameMoney(ours, theirs.amount))
    return {
      ...base,
      kind: 'amount_differs',
      summary: `The provider has ${amountOf(theirs.amount)}, we have ${amountOf(ours)}.`,
    }
  if (ours.state === 'succeeded' && isReversal(theirs.state))
    return ours.status === 'completed' ? reversalMissed(theirs, ours) : undefined
  return statesAgree(theirs, ours)
    ? undefined
    : {
        ...base,
        kind: 'state_differs',
        summary: `The provider says ${theirs.state.state} (${theirs.providerStatus}), the attempt is ${ours.state} and the payment ${ours.status}.`,
      }
}

const reversalMissed = (theirs: ProviderTransaction, ours: OwnAttempt): Finding => ({
  kind: 'reversal_missed',
  reference: ours.reference,
  paymentId: ours.paymentId,
  summary: `The provider took back ${amountOf(theirs.amount)} (${theirs.providerStatus}), and its webhook did not arrive. It was asked again, and its answer is booked.`,
})

/** The provider completed it and we did not, or it failed there after it was completed here. Each is raised once. */
export function isRefundMissed({ state: { state } }: ProviderRefund, ours: OwnRefund | undefined): boolean {
  if (!ours) return state === 'completed'
  if (ours.isRaised) return false
  return ours.state === 'failed' ? state === 'completed' : ours.state === 'completed' && state === 'failed'
}

/** A refund that ended otherwise at the provider than here, and its attempt if it is known. */
export const refundMissed = (theirs: ProviderRefund, ours: OwnAttempt | undefined): Finding => {
  const { providerRef: reference, providerStatus } = theirs
  if (!ours)
    return {
      kind: 'missing_here',
      reference,
      paymentId: null,
      summary: `The provider has the ${providerStatus} refund ${reference} of a payment that is not known here.`,
    }
  return {
    kind: 'refund_missed',
    reference,
    paymentId: ours.paymentId,
    summary: `A refund (${reference}) is ${providerStatus} at the provider, and its webhook did not arrive. The provider was asked again: its answer is booked, or raised if the refund had ended otherwise here.`,
  }
}

/**
 * A customer may try several times, or pay in several parts: the sum of what was paid counts, else the last try.
 */
function mergeParts(parts: readonly ProviderTransaction[]): ProviderTransaction | undefined {
  const paid = parts.filter(({ state }) => state.state === 'completed')
  const open = parts.filter(({ state }) => state.state === 'pending' || state.state === 'processing')
  const last = paid.at(-1) ?? open.at(-1) ?? parts.at(-1)
  if (!last || paid.length < 2) return last
  const amountMinor = paid.reduce((sum, { amount }) => sum + amount.amountMinor, 0n)
  return { ...last, amount: { ...last.amount, amountMinor } }
}

export const missingThere = (ours: OwnAttempt): Finding => ({
  kind: 'missing_there',
  reference: ours.reference,
  paymentId: ours.paymentId,
  summary: `The payment is ${ours.status} here, but the provider does not list it.`,
})

/** Compares the attempt instead of the payment, because another provider may have completed the payment since. */
function statesAgree(theirs: ProviderTransaction, ours: OwnAttempt): boolean {
  const isPaidHere = ours.state === 'succeeded'
  if (theirs.state.state === 'completed') return isPaidHere
  const hasFailedThere = theirs.state.state === 'failed' || theirs.state.state === 'canceled'
  return !isPaidHere && !(hasFailedThere && isOpen(ours.state))
}

const amountOf = (money: { amountMinor: bigint; currency: string }): string =>
  `${formatMinor(money.amountMinor, money.currency)} ${money.currency}`
