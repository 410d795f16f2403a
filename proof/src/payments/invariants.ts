import {
  isOpen,
  isSettled,
  type AttemptState,
  type Status,
} from '@switchyard/server/domains/payments/lifecycle/rules.ts'
import { balancesDiffer } from './balances-check.ts'
import { batchesUnended, rowsDiffer, totalsDiffer } from './batches-check.ts'
import { disputesDiffer } from './disputes-check.ts'
import type { AttemptRow, Evidence, PaymentRow } from './evidence.ts'
import { leftToPeople, rightlyTold, undecidedAttempts } from './expected-exceptions.ts'
import type { Violation } from './violation.ts'
import type { Transaction } from '@switchyard/simulator/core/transaction.ts'

const byPayment = (attempts: readonly AttemptRow[]): Map<string, AttemptRow[]> =>
  Map.groupBy(attempts, ({ paymentId }) => paymentId)

/** One payment per order, and one accepted charge per payment. */
function acceptedTwice({ payments, attempts, acceptances }: Evidence): Violation[] {
  const taken = Map.groupBy(
    acceptances.filter(({ kind }) => kind !== 'refund'),
    ({ reference }) => reference,
  )
  const perPayment = [...byPayment(attempts)].flatMap(([subject, own]) => {
    const accepted = own.flatMap(({ reference }) => taken.get(reference) ?? [])
    if (accepted.length < 2) return []
    const where = accepted.map(({ provider, at }) => `${provider} at ${at}`).join(', ')
    return [{ invariant: 'I2' as const, subject, problem: `accepted ${accepted.length} times: ${where}` }]
  })
  const orders = Map.groupBy(
    payments.filter(({ clientReference }) => clientReference !== null),
    ({ clientReference }) => clientReference,
  )
  const perOrder = [...orders.values()].flatMap((own) =>
    own.length < 2
      ? []
      : [
          {
            invariant: 'I2' as const,
            subject: own[0]?.paymentId ?? '',
            problem: `an order sent under one key became ${own.length} payments`,
          },
        ],
  )
  return [...perPayment, ...perOrder]
}

function openTwice({ attempts }: Evidence): Violation[] {
  return [...byPayment(attempts)].flatMap(([subject, own]) => {
    const open = own.filter(({ state }) => isOpen(state as AttemptState)) // the column has these only
    return open.length > 1 ? [{ invariant: 'I3', subject, problem: `${open.length} attempts are open` }] : []
  })
}

/** Times are stored in milliseconds, rounded by Postgres and cut by the simulator. */
const roundingMs = 1

/** The simulator and Postgres share a clock, so an acceptance older than its attempt was sent before the commit. */
function sentWithoutAttempt({ attempts, refunds, acceptances }: Evidence): Violation[] {
  // One from the provider's dashboard is stored after it was made.
  const refundedAt = refunds.map(({ reference, foreignRef, createdAt }) =>
    foreignRef === null ? ([reference, createdAt.getTime()] as const) : ([reference, -Infinity] as const),
  )
  const storedAt = new Map([
    ...attempts.map(({ reference, createdAt }) => [reference, createdAt.getTime()] as const),
    ...refundedAt,
  ])
  return acceptances.flatMap(({ reference, kind, provider, at }) => {
    const storedAtMs = storedAt.get(reference)
    const isStored = storedAtMs !== undefined && Date.parse(at) >= storedAtMs - roundingMs
    const problem =
      storedAtMs === undefined
        ? `${provider} accepted a ${kind} at ${at} that no attempt has`
        : `${provider} accepted a ${kind} at ${at}, before its attempt was stored`
    return isStored ? [] : [{ invariant: 'I4', subject: reference, problem }]
  })
}

function fellBackEarly({ attempts, acceptances }: Evidence): Violation[] {
  const taken = new Set(acceptances.map(({ reference }) => reference))
  return [...byPayment(attempts)].flatMap(([subject, own]) =>
    own.slice(0, -1).flatMap(({ attemptNo, state, reference }) => {
      const isDefinite = state === 'declined' || state === 'not_sent'
      if (isDefinite && !taken.has(reference)) return []
      const why = isDefinite ? 'but the provider had accepted it' : `when it was ${state}`
      return [
        {
          invariant: 'I5',
          subject,
          problem: `another provider was tried after attempt ${attemptNo}, ${why}`,
        },
      ]
    }),
  )
}

/** The payment statuses that are consistent with each state of the provider's transaction. */
const fitting: Readonly<Record<Transaction['state'], readonly string[]>> = {
  pending: ['processing', 'pending'],
  action_required: ['processing', 'pending'],
  completed: ['completed', 'refunded'],
  failed: ['failed'],
  // A failed payment may also be canceled: no money moved either way.
  canceled: ['canceled', 'failed'],
  // A reversal after completion is an exception; one that is known at once is a failure.
  reversed: ['completed', 'failed', 'refunded'],
}

/** Exceptions must match what the provider did; a late success without a failure means we failed it too early. */
function toldWrongly(evidence: Evidence): Violation[] {
  const rightly = rightlyTold(evidence)
  const inDoubt = new Set(
    evidence.attempts
      .filter(({ state }) => isOpen(state as AttemptState)) // the column has these only
      .map(({ paymentId }) => paymentId),
  )
  return evidence.exceptions.flatMap(({ paymentId, kind }) =>
    paymentId === null || rightly.has(paymentId) || (kind === 'outcome_unknown' && inDoubt.has(paymentId))
      ? []
      : [
          {
            invariant: 'I10',
            subject: paymentId,
            problem: `${kind} was raised, and no provider did such a thing`,
          },
        ],
  )
}

function differsFromProvider(evidence: Evidence): Violation[] {
  const { attempts, transactions } = evidence
  const awaitingReview = leftToPeople(evidence)
  const own = byPayment(attempts)
  return evidence.payments.flatMap((payment) => {
    const problem = differenceOf(payment, own.get(payment.paymentId) ?? [], transactions)
    if (problem === undefined || awaitingReview.has(payment.paymentId)) return []
    return [{ invariant: 'I10', subject: payment.paymentId, problem }]
  })
}

function differenceOf(
  { status }: PaymentRow,
  attempts: readonly AttemptRow[],
  transactions: Evidence['transactions'],
): string | undefined {
  const last = attempts.at(-1)
  if (!last || last.provider === 'manual') return undefined
  const theirs = attempts.flatMap(({ reference }) => transactions.get(reference) ?? [])
  const [first] = theirs
  if (!first)
    return ['failed', 'canceled', 'rejected'].includes(status)
      ? undefined
      : `no provider has it, but it is ${status}`
  // At Flutterwave a payment page becomes a transaction only when somebody tries to pay on it.
  const isUnopened = first.details['isHidden'] === true && ['failed', 'canceled'].includes(status)
  return isUnopened || theirs.some(({ state }) => fitting[state].includes(status))
    ? undefined
    : `the provider says ${theirs.map(({ state }) => state).join(', ')}, but it is ${status}`
}

const refundFits: Readonly<Record<Transaction['state'], readonly string[]>> = {
  pending: ['accepted', 'unknown', 'sending'],
  action_required: ['accepted', 'unknown', 'sending'],
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['failed'],
  reversed: ['completed', 'failed'],
}

function refundsDiffer(evidence: Evidence): Violation[] {
  const { refunds, transactions } = evidence
  const awaitingReview = leftToPeople(evidence)
  return refunds.flatMap(({ paymentId, reference, state, foreignRef }) => {
    const theirs = transactions.get(reference)
    if (foreignRef !== null) return []
    const isRight = theirs ? refundFits[theirs.state].includes(state) : state === 'failed'
    if (isRight || awaitingReview.has(paymentId)) return []
    const said = theirs ? `says ${theirs.state}` : 'never had it'
    return [
      { invariant: 'I10', subject: paymentId, problem: `the provider ${said} of a refund that is ${state}` },
    ]
  })
}

/** Every payment must have ended or wait for an external party: the customer, a reviewer, the provider's customer. */
function unended(evidence: Evidence): Violation[] {
  const { payments, attempts, outbox, deliveries } = evidence
  const awaitingReview = leftToPeople(evidence)
  const own = byPayment(attempts)
  const stuck = payments.flatMap(({ paymentId, status }) => {
    if (isSettled(status as Status) || awaitingReview.has(paymentId)) return [] // the column has these only
    const last = own.get(paymentId)?.at(-1)
    if (!last) return status === 'confirmed' ? [stuckAt(paymentId, 'confirmed, but never sent')] : []
    return last.state === 'accepted'
      ? []
      : [stuckAt(paymentId, `${status} with an attempt that is ${last.state}`)]
  })
  const left = outbox.filter(({ isDue }) => isDue).length
  const undelivered = deliveries.filter(({ status }) => status === 'pending').length
  return [
    ...stuck,
    ...(left > 0 ? [stuckAt('outbox', `${left} jobs are due and not handed over`)] : []),
    ...(undelivered > 0 ? [stuckAt('deliveries', `${undelivered} deliveries are pending`)] : []),
  ]
}

/** What no provider can be asked about is decided by people, who read its statement. */
export const undecided = (evidence: Evidence): Violation[] =>
  undecidedAttempts(evidence).map(({ paymentId, provider }) =>
    stuckAt(paymentId, `in doubt at ${provider}, whose statement says what became of it`),
  )

const stuckAt = (subject: string, problem: string): Violation => ({ invariant: 'I15', subject, problem })

const processedTwice = ({ processedTwice: rows }: Evidence): Violation[] =>
  rows.map(({ paymentId, dedupeKey }) => ({
    invariant: 'I10',
    subject: paymentId ?? dedupeKey,
    problem: `the provider’s message ${dedupeKey} was processed more than once`,
  }))

const rewritten = ({ rewrittenEntries }: Evidence): Violation[] =>
  rewrittenEntries.map((entry) => ({
    invariant: 'I7',
    subject: 'ledger',
    problem: `a ledger entry was changed: ${entry}`,
  }))

/** The checks that may fail while work is in progress and must hold once everything is idle. */
export const quietChecks = [
  differsFromProvider,
  refundsDiffer,
  disputesDiffer,
  unended,
  batchesUnended,
  balancesDiffer,
]
/** The checks that must hold at every moment. */
export const standingChecks = [
  acceptedTwice,
  openTwice,
  sentWithoutAttempt,
  fellBackEarly,
  toldWrongly,
  processedTwice,
  rewritten,
  rowsDiffer,
  totalsDiffer,
]
