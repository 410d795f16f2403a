import type { CompiledQuery } from 'kysely'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import { failureOf } from '../../../connectors/kit/failures.ts'
import type { Failure } from '../../../connectors/kit/state.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import { newId } from '../../../lib/ids.ts'
import { isSameMoney } from '../../../lib/money/money.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { exceptionTexts, type PaymentException } from '../errors.ts'
import { planChange } from '../lifecycle/plan-change.ts'
import { confirmsReturn, contradictsReturn } from '../resolutions/rules.ts'
import {
  canRepeat,
  providerAmount,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type StoredAttempt,
} from '../record.ts'
import {
  cardDetailsUnavailable,
  decide,
  isOpen,
  isSettled,
  providersFailed,
  unchanged,
  type Decision,
  type Fact,
  type Situation,
  type Status,
} from '../lifecycle/rules.ts'
import { redactText } from '../../../connectors/kit/redact-text.ts'
import { reversedSums } from '../sums/rules.ts'
import { superviseSooner } from '../supervision/schedule-supervision.ts'
import { adjustFallback, findingKeyOf, mergeProviderRef } from './rules.ts'
import { newAttempt, nextRouteIn } from './prepare-attempt.ts'
import { costIn, costPostings } from './post-cost.ts'
import type { AppliedFact, Evidence } from './record.ts'
import { insertAttempt, insertInquiry, updateAttempt } from './store.ts'

const firstInquiryMs = 1_000

interface FactChange {
  statements: CompiledQuery[]
  result: AppliedFact
}

/** Decides what a fact means and plans the transaction that writes it; undefined when there is nothing to write. */
export function planFact(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  reported: Fact | undefined,
  evidence: Evidence,
): FactChange | undefined {
  const fact =
    reported?.kind === 'accepted'
      ? { ...reported, ...redactText(reported) }
      : adjustFallback(loaded.payment.routing, reported)
  const before = loaded.attempts.find((attempt) => attempt.attemptNo === evidence.attemptNo)
  if (!before) throw new Error('the attempt does not belong to the payment')
  const now = deps.clock.now()
  const { hasNextRoute, next } = nextRouteIn(loaded, evidence)
  const decision = fact
    ? decideFor(loaded, before, fact, {
        evidence,
        hasNextRoute,
        canRepeat: canRepeat(loaded, before, deps.pollSchedule),
      })
    : unchanged(before.state)
  if (decision.failure === providersFailed) decision.failure = failureOfUnsent(loaded, evidence.canSend)
  const acceptance = acceptanceIn(loaded.payment, before, decision, fact)
  const attempt = attemptAfter(before, decision, { fact, acceptance, evidence, now })
  const found = findingIn(before, decision, fact)
  const exception = found && exceptionFor(loaded.payment, attempt, found)
  const raised = exception?.exceptionId ?? null
  const after = paymentAfter(loaded.payment, attempt, decision, { acceptance, now, raised })
  if (!exception && !evidence.extraStatements && isSame(before, attempt) && isSame(loaded.payment, after))
    return undefined

  const { payment, statements } = planChange(deps, {
    before: loaded.payment,
    after,
    moves: decision.moves,
    isFirstAcceptance: ['sending', 'unknown'].includes(before.state) && acceptance !== undefined,
  })
  const following = decision.tryNext && next ? newAttempt(loaded, next, { ...deps, now }) : undefined
  const { orgId, paymentId } = payment
  const costs = costPostings(payment, before, attempt)
  return {
    result: {
      payment,
      attempts: [
        ...loaded.attempts.map((other) => (other.attemptNo === attempt.attemptNo ? attempt : other)),
        ...(following ? [following] : []),
      ],
      following,
    },
    statements: [
      ...statements,
      ...(attempt === before ? [] : [updateAttempt(orgId, paymentId, attempt)]),
      ...(following ? [insertAttempt(orgId, paymentId, following)] : []),
      ...(costs.length > 0 ? [insertTransfers(orgId, costs)] : []),
      ...(exception ? [insertException(orgId, exception)] : []),
      ...inquiryStatements(payment, evidence),
      ...firstInquirySooner(payment, attempt),
      ...(evidence.extraStatements ?? []),
    ],
  }
}

/** The failure of a payment without a route left: the reason of the last decline, if there was one. */
export function failureOfUnsent({ payment, attempts }: LoadedPayment, canSend: boolean): Failure {
  const { outcomeCode: code = null, outcomeMessage: message = null } =
    attempts.findLast(({ state }) => state === 'declined') ?? {}
  if (code !== null && message !== null) return { code, message }
  // The card was only in the memory of a process that has died, so no process can send it again.
  return payment.method === 'card' && !canSend ? cardDetailsUnavailable : providersFailed
}

/** A fact that contradicts a decision of people is raised as a contradiction, whatever else it is. */
function findingIn(
  before: StoredAttempt,
  { exception }: Decision,
  fact: Fact | undefined,
): PaymentException | undefined {
  if (before.resolutionId === null) return exception
  if (exception === 'reversed_after_completion' && confirmsReturn(before)) return undefined
  const isContradiction = exception !== undefined || contradictsReturn(before, fact)
  return isContradiction ? 'resolution_contradicted' : undefined
}

function decideFor(
  { payment }: LoadedPayment,
  attempt: StoredAttempt,
  fact: Fact,
  { evidence, ...can }: Pick<Situation, 'hasNextRoute' | 'canRepeat'> & { evidence: Evidence },
): Decision {
  if (amountDiffers(payment, fact)) return { ...unchanged(attempt.state), exception: 'amount_differs' }
  return decide(
    {
      status: payment.status,
      attempt: attempt.state,
      ...can,
      reachedCustomer: attempt.reachedCustomer,
      isPayout: payment.direction === 'outbound',
      isFunded: payment.fundingAccountId !== null,
      // A fact that contradicts a decision of people raises an exception and changes nothing.
      isCertain: attempt.resolutionId === null && isCertainReversal(fact, evidence),
      isReversed: attempt.outcomeCode === failureOf('REVERSED').code,
    },
    fact,
  )
}

const reversalCodes: readonly string[] = [failureOf('REVERSED').code, failureOf('RETURNED').code]

/** A provider that names the reversal is believed at once; otherwise the answer to an inquiry decides. */
export function isCertainReversal(fact: Fact, evidence: Omit<Evidence, 'attemptNo' | 'canSend'>): boolean {
  if (fact.kind !== 'accepted' || evidence.isAfterEnd !== true || evidence.mayBeKnown === true) return false
  const isAnswer = evidence.inquiry !== undefined
  const isNamed =
    fact.state.state === 'canceled' ||
    (fact.state.state === 'failed' && reversalCodes.includes(fact.state.failure.code))
  return isAnswer || isNamed
}

/** The provider moved another amount or currency than the payment says: this goes to manual review. */
export function amountDiffers(payment: Payment, fact: Fact): boolean {
  if (fact.kind !== 'accepted' || fact.state.state !== 'completed' || !fact.amount) return false
  return !isSameMoney(fact.amount, providerAmount(payment))
}

type Acceptance = Extract<Fact, { kind: 'accepted' }>

/** A report about an attempt that has ended is outdated unless it changes the attempt. */
const isCurrent = (before: StoredAttempt, { attempt, moves }: Decision): boolean =>
  isOpen(before.state) || attempt !== before.state || moves.includes('refunded')

/** The provider's details are taken over unless the amount differs or they are outdated. */
const acceptanceIn = (
  payment: Payment,
  before: StoredAttempt,
  decision: Decision,
  fact: Fact | undefined,
): Acceptance | undefined =>
  fact?.kind === 'accepted' && isCurrent(before, decision) && !amountDiffers(payment, fact) ? fact : undefined

interface FactContext {
  fact: Fact | undefined
  acceptance: Acceptance | undefined
  evidence: Evidence
  now: Date
}

function attemptAfter(
  before: StoredAttempt,
  decision: Decision,
  { fact, acceptance, evidence, now }: FactContext,
): StoredAttempt {
  const after = {
    ...before,
    ...(isCurrent(before, decision) && outcomeIn(decision, fact)),
    state: decision.attempt,
    stateChanges:
      decision.attempt === before.state
        ? before.stateChanges
        : [...(before.stateChanges ?? []), { state: decision.attempt, at: now.toISOString() }],
    providerRef: mergeProviderRef(before.providerRef, {
      verified: acceptance?.providerRef ?? null,
      hinted: evidence.hintedRef ?? null,
    }),
    providerStatus: acceptance?.providerStatus ?? before.providerStatus,
    cost: before.cost ?? costIn(decision, fact),
    reachedCustomer: before.reachedCustomer || involvesCustomer(acceptance?.nextAction),
    inquiries: before.inquiries + (evidence.inquiry?.isScheduled === true ? 1 : 0),
    notFoundCount: evidence.inquiry?.notFoundCount ?? before.notFoundCount,
    wrongOtps: before.wrongOtps + (evidence.isWrongOtp === true ? 1 : 0),
    resolutionId: evidence.resolutionId ?? before.resolutionId,
  }
  return isSame(before, after) ? before : { ...after, updatedAt: now }
}

function outcomeIn(
  { failure }: Decision,
  fact: Fact | undefined,
): Partial<Pick<StoredAttempt, 'outcomeCode' | 'outcomeMessage'>> {
  const refused = fact?.kind === 'declined' ? fact.failure : failure
  if (refused) return { outcomeCode: refused.code, outcomeMessage: refused.message }
  if (fact?.kind !== 'unknown' && fact?.kind !== 'not_sent') return {}
  return { outcomeCode: fact.kind, outcomeMessage: fact.reason }
}

function paymentAfter(
  before: Payment,
  attempt: StoredAttempt,
  decision: Decision,
  { acceptance, now, raised }: Pick<FactContext, 'acceptance' | 'now'> & { raised: string | null },
): Payment {
  // These two are decided in manual review; until then the payment does not change.
  if (decision.exception === 'money_after_end' || decision.exception === 'reversed_after_completion')
    return before
  const status: Status = decision.moves.at(-1) ?? before.status
  const after: Payment = {
    ...before,
    status,
    ...((acceptance || attempt.state === 'unknown') && {
      provider: attempt.provider,
      accountId: attempt.accountId,
    }),
    // The money of a payin is in the custody of the account that collected it.
    custody: completesPayin(before, status) ? attempt.custody : before.custody,
    providerPaymentId: acceptance?.providerRef ?? before.providerPaymentId,
    providerStatus: acceptance?.providerStatus ?? before.providerStatus,
    nextAction: isSettled(status) ? null : (acceptance?.nextAction ?? before.nextAction),
    failureCode: status === 'completed' ? null : (decision.failure?.code ?? before.failureCode),
    failureMessage: status === 'completed' ? null : (decision.failure?.message ?? before.failureMessage),
    // On a late success the funding account has its money back and may have spent it: the organisation pays instead.
    fundingAccountId: before.status === 'failed' && status === 'completed' ? null : before.fundingAccountId,
    ...(status === 'refunded' &&
      before.status !== 'refunded' && {
        refundedMinor: before.source.amountMinor,
        sums: before.direction === 'inbound' ? reversedSums(before, raised) : before.sums,
      }),
  }
  return isSame(before, after) ? before : { ...after, updatedAt: now }
}

const completesPayin = (before: Payment, status: Status): boolean =>
  before.direction === 'inbound' && status === 'completed' && before.status !== 'completed'

/** After a prompt, a page or instructions the customer may act, so no second provider may ask them again. */
const involvesCustomer = (action: NextAction | undefined): boolean =>
  action !== undefined && action.type !== 'check_status'

const inquiryStatements = (
  { orgId, paymentId }: Payment,
  { attemptNo, inquiry }: Evidence,
): CompiledQuery[] =>
  inquiry ? [insertInquiry(orgId, paymentId, { inquiryId: newId(), attemptNo, ...inquiry })] : []

/** The supervision job waits for the send deadline; an outcome known to be unknown is inquired about at once. */
const firstInquirySooner = (payment: Payment, attempt: StoredAttempt): CompiledQuery[] =>
  !isSettled(payment.status) && attempt.state === 'unknown' && attempt.inquiries === 0
    ? [superviseSooner(payment, { inMs: firstInquiryMs })]
    : []

const exceptionFor = (payment: Payment, attempt: StoredAttempt, kind: PaymentException): NewException => ({
  exceptionId: newId(),
  kind,
  paymentId: payment.paymentId,
  provider: attempt.provider,
  findingKey: findingKeyOf(kind, payment.paymentId, attempt.attemptNo),
  ...exceptionTexts[kind],
})

/** Compares field by field; objects such as the next action are equal only when they are the same reference. */
const isSame = <T extends object>(a: T, b: T): boolean =>
  (Object.keys(a) as (keyof T)[]).every((key) => key === 'updatedAt' || a[key] === b[key]) // keys of T by construction
