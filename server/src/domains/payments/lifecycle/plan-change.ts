import type { CompiledQuery } from 'kysely'
import { dropStatement } from '../../../kernel/engine/outbox.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import { settleExceptions } from '../../people/exceptions/settle-exceptions.ts'
import { paidStatements } from '../../parties/payment-links/claim-link.ts'
import { negativeBalanceStatements } from '../../people/exceptions/raise-negative-balance.ts'
import { recordEvents } from '../../events/webhooks/publish-events.ts'
import { countAfter, eventsFor } from './build-events.ts'
import { postingsFor } from './build-postings.ts'
import type { Payment, PaymentDeps } from '../record.ts'
import { isAwaitingReview } from '../reviews/rules.ts'
import { endReviewRequest } from '../reviews/store.ts'
import { isSettled, type Status } from './rules.ts'
import { updatePayment } from '../store.ts'
import { writeSums } from '../sums/store.ts'

interface PaymentChange {
  before: Payment
  /** The changed payment; its version and event count are still those of `before`. */
  after: Payment
  /** Each step of the status, in order; empty when it does not change. */
  moves: readonly Status[]
  /** A provider has accepted the payment for the first time. */
  isFirstAcceptance: boolean
}

/**
 * Plans everything that one change of a payment writes: the fenced row, events, ledger postings, the link that it
 * pays, the account that funds it, and the removal of its supervision job when it ends.
 */
export function planChange(
  deps: Pick<PaymentDeps, 'funding' | 'pollSchedule'>,
  { before, after, moves, isFirstAcceptance }: PaymentChange,
): { payment: Payment; statements: CompiledQuery[] } {
  const { orgId, paymentId } = before
  const events = eventsFor({
    before,
    payment: after,
    moves,
    firstAcceptance: isFirstAcceptance,
  })
  const payment: Payment = {
    ...after,
    version: before.version + 1,
    eventCount: countAfter(before.eventCount, events),
  }
  const postings = postingsFor(before, payment)
  const hasEnded = isSettled(payment.status) && !isSettled(before.status)
  return {
    payment,
    statements: [
      updatePayment(orgId, before.version, payment),
      ...sumsStatements(before, payment),
      ...recordEvents(orgId, events),
      ...(postings.length > 0 ? [insertTransfers(orgId, postings)] : []),
      ...negativeBalanceStatements(orgId, postings),
      ...paidStatements(payment, before.status),
      ...fundingStatements(deps, before.status, payment),
      ...(isAwaitingReview(before.status) && !isAwaitingReview(payment.status)
        ? [endReviewRequest(orgId, paymentId)]
        : []),
      ...(hasEnded ? [dropStatement(orgId, paymentId), ...settledDoubts(deps, payment)] : []),
    ],
  }
}

const sumsStatements = (before: Payment, { orgId, paymentId, source, sums }: Payment): CompiledQuery[] =>
  sums === before.sums
    ? []
    : [
        writeSums(
          orgId,
          { paymentId, chargedMinor: source.amountMinor },
          { before: before.sums, after: sums },
        ),
      ]

/** Only an old payment can be in doubt, so others do not pay for the statement. */
const settledDoubts = (
  { pollSchedule }: Pick<PaymentDeps, 'pollSchedule'>,
  payment: Payment,
): CompiledQuery[] =>
  payment.updatedAt.getTime() - payment.createdAt.getTime() < pollSchedule.unknownLimitMs
    ? []
    : [
        settleExceptions(payment.orgId, {
          paymentId: payment.paymentId,
          kinds: ['outcome_unknown', 'pending_too_long', 'ramp_unknown'],
          resolution: `The payment is ${payment.status}.`,
          closedBy: null,
        }),
      ]

/** Only a payment that a virtual account pays for, and only when its status changes. */
export const fundingStatements = (
  deps: Pick<PaymentDeps, 'funding'>,
  previous: Status | undefined,
  payment: Payment,
): CompiledQuery[] =>
  payment.fundingAccountId === null || previous === payment.status ? [] : deps.funding(previous, payment)
