import { isStale } from '../../../db/errors.ts'
import type { CompiledQuery } from 'kysely'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import { failureOf } from '../../../connectors/kit/failures.ts'
import { dropStatement } from '../../../engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import { insertException } from '../../exceptions/raise-exception.ts'
import { exceptionTexts } from '../errors.ts'
import { newAttempt } from './prepare-attempt.ts'
import { wakeForDeliveries } from '../../webhooks/publish-events.ts'
import { eventsFor } from '../build-events.ts'
import {
  providerAmount,
  untriedRoutes,
  type LoadedPayment,
  type Payment,
  type StoredAttempt,
} from '../record.ts'
import type { PaymentDeps } from '../payment-deps.ts'
import {
  cardDetailsUnavailable,
  decide,
  isOpen,
  isSettled,
  providersFailed,
  type Decision,
  type Fact,
  type Status,
} from '../rules.ts'
import { findPayment, insertAttempt, insertInquiry, updateAttempt } from '../store.ts'
import { superviseSooner } from '../schedule-supervision.ts'
import { writeChange } from '../write-change.ts'
import type { NewException } from '../../exceptions/record.ts'

/** How we learnt of a fact, for the record. */
export interface Evidence {
  /** Which attempt it is about. */
  attemptNo: number
  /** An inquiry brought it: counted, and written into the timeline. */
  inquiry?: { result: string; detail: string | null; notFoundCount: number }
  /** A customer's wrong one-time password, counted against the attempt. */
  isWrongOtp?: boolean
  /** The provider's own id, from a message that proves nothing: after a lost answer there is nothing else to ask with. */
  hintedRef?: string | null
  /** Further rows of the same transaction, such as the inbox row of a webhook. */
  extraStatements?: CompiledQuery[]
  /** The details of the request are still in memory, so another route may be tried at once. */
  canSend: boolean
}

/** The payment afterwards, and the attempt that this very call wrote for the next route: only its writer sends it. */
export interface Applied extends LoadedPayment {
  following?: StoredAttempt | undefined
}

const staleRetries = 10
const firstInquiryMs = 1_000

/**
 * Writes what a fact means for a payment: status, attempt, ledger, events, outbox, all or nothing. Two processes
 * that learn different things at once are put in order by the version; the later one decides again.
 */
export async function applyFact(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  fact: Fact | undefined,
  evidence: Evidence,
): Promise<Applied> {
  let current: LoadedPayment = { payment: loaded.payment, attempts: loaded.attempts }
  for (let retry = 0; retry < staleRetries; retry++) {
    const change = planChange(deps, current, fact, evidence)
    if (!change) return current
    try {
      const results = await deps.db.batchInOrg(current.payment.orgId, change.statements)
      wakeForDeliveries(deps.db, results)
      return change.result
    } catch (error) {
      if (!isStale(error)) throw error
      current = await reload(deps, current)
    }
  }
  throw new Error('a payment kept changing while a fact was applied to it')
}

export async function reload(deps: PaymentDeps, loaded: LoadedPayment): Promise<LoadedPayment> {
  const { orgId, paymentId } = loaded.payment
  const found = await deps.db.inOrg(orgId, (tx) => findPayment(tx, orgId, paymentId))
  if (!found) throw new Error('a payment has gone')
  return found
}

interface Change {
  statements: CompiledQuery[]
  result: Applied
}

function planChange(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  fact: Fact | undefined,
  evidence: Evidence,
): Change | undefined {
  const before = loaded.attempts.find((attempt) => attempt.attemptNo === evidence.attemptNo)
  if (!before) throw new Error('the attempt does not belong to the payment')
  const next = evidence.canSend ? untriedRoutes(loaded)[0] : undefined
  const decision = fact ? decideFor(loaded, before, fact, next !== undefined) : unchanged(before)
  // The card was in the memory of a process that is gone: it cannot be sent again, by anybody.
  if (decision.failure === providersFailed && loaded.payment.method === 'card' && !evidence.canSend)
    decision.failure = cardDetailsUnavailable
  const now = deps.clock.now()
  // A closed attempt has heard the provider's last word; an older one that comes late is no news.
  const isNews = isOpen(before.state) || decision.attempt !== before.state
  const accepted =
    fact?.kind === 'accepted' && isNews && !amountDiffers(loaded.payment, fact) ? fact : undefined
  const attempt = attemptAfter(before, decision, { fact, accepted, evidence, now })
  const payment = paymentAfter(loaded.payment, attempt, decision, { accepted, now })
  const exception = decision.exception && exceptionFor(payment, attempt, decision.exception)
  if (!exception && !evidence.extraStatements && isSame(before, attempt) && isSame(loaded.payment, payment))
    return undefined

  const firstAcceptance = ['sending', 'unknown'].includes(before.state) && accepted !== undefined
  const events = eventsFor({
    previous: loaded.payment.status,
    payment,
    moves: decision.moves,
    firstAcceptance,
  })
  const written: Payment = {
    ...payment,
    version: loaded.payment.version + 1,
    eventCount: loaded.payment.eventCount + events.length,
  }
  const following = decision.tryNext && next ? newAttempt(loaded, next, { ...deps, now }) : undefined
  const { orgId, paymentId } = written
  return {
    result: {
      payment: written,
      attempts: [
        ...loaded.attempts.map((other) => (other.attemptNo === attempt.attemptNo ? attempt : other)),
        ...(following ? [following] : []),
      ],
      following,
    },
    statements: [
      ...writeChange(deps, loaded.payment, written, events),
      updateAttempt(orgId, paymentId, attempt),
      ...(following ? [insertAttempt(orgId, paymentId, following)] : []),
      ...(exception ? [insertException(orgId, exception)] : []),
      ...(evidence.inquiry
        ? [
            insertInquiry(orgId, paymentId, {
              inquiryId: newId(),
              attemptNo: attempt.attemptNo,
              ...evidence.inquiry,
            }),
          ]
        : []),
      ...supervisionOf(loaded.payment.status, written, attempt, now),
      ...(evidence.extraStatements ?? []),
    ],
  }
}

const unchanged = (attempt: StoredAttempt): Decision => ({
  moves: [],
  attempt: attempt.state,
  tryNext: false,
})

function decideFor(
  loaded: LoadedPayment,
  attempt: StoredAttempt,
  fact: Fact,
  hasNextRoute: boolean,
): Decision {
  if (amountDiffers(loaded.payment, fact)) return { ...unchanged(attempt), exception: 'amount_differs' }
  const { payment } = loaded
  return decide(
    {
      status: payment.status,
      attempt: attempt.state,
      hasNextRoute,
      reachedCustomer: attempt.reachedCustomer,
      isFunded: payment.fundingAccountId !== null,
      isReversed: attempt.outcomeCode === failureOf('REVERSED').code,
    },
    fact,
  )
}

/** Money moved, but not what was asked for: for a person, whoever brought the news. */
export function amountDiffers(payment: Payment, fact: Fact): boolean {
  if (fact.kind !== 'accepted' || fact.state.state !== 'completed' || !fact.amount) return false
  const expected = providerAmount(payment)
  return fact.amount.currency !== expected.currency || fact.amount.amountMinor !== expected.amountMinor
}

type AcceptedFact = Extract<Fact, { kind: 'accepted' }>

interface News {
  fact: Fact | undefined
  accepted: AcceptedFact | undefined
  evidence: Evidence
  now: Date
}

function attemptAfter(
  before: StoredAttempt,
  decision: Decision,
  { fact, accepted, evidence, now }: News,
): StoredAttempt {
  const failure = fact?.kind === 'declined' ? fact.failure : decision.failure
  const reason = fact?.kind === 'unknown' || fact?.kind === 'not_sent' ? fact.reason : undefined
  const after = {
    ...before,
    state: decision.attempt,
    providerRef: mergeProviderRef(
      before.providerRef,
      accepted?.providerRef ?? null,
      evidence.hintedRef ?? null,
    ),
    providerStatus: accepted?.providerStatus ?? before.providerStatus,
    outcomeCode: failure?.code ?? (reason === undefined ? before.outcomeCode : (fact?.kind ?? null)),
    outcomeMessage: failure?.message ?? reason ?? before.outcomeMessage,
    reachedCustomer: before.reachedCustomer || isForCustomer(accepted?.nextAction),
    inquiries: before.inquiries + (evidence.inquiry ? 1 : 0),
    notFoundCount: evidence.inquiry?.notFoundCount ?? before.notFoundCount,
    otpTries: before.otpTries + (evidence.isWrongOtp === true ? 1 : 0),
  }
  return isSame(before, after) ? before : { ...after, updatedAt: now }
}

/** What a connector learns later it writes behind its id, after a slash. A hint never replaces an id. */
function mergeProviderRef(known: string | null, told: string | null, hinted: string | null): string | null {
  if (told !== null) return known?.startsWith(`${told}/`) === true ? known : told
  const isFuller = known === null || hinted?.startsWith(`${known}/`) === true
  return isFuller ? hinted : known
}

function paymentAfter(
  before: Payment,
  attempt: StoredAttempt,
  decision: Decision,
  { accepted, now }: Pick<News, 'accepted' | 'now'>,
): Payment {
  // A person decides what these mean; until then the payment stays as it was.
  if (decision.exception === 'money_after_end' || decision.exception === 'reversed_after_completion')
    return before
  const status: Status = decision.moves.at(-1) ?? before.status
  const after: Payment = {
    ...before,
    status,
    provider: accepted || attempt.state === 'unknown' ? attempt.provider : before.provider,
    providerPaymentId: accepted?.providerRef ?? before.providerPaymentId,
    providerStatus: accepted?.providerStatus ?? before.providerStatus,
    nextAction: isSettled(status) ? null : (accepted?.nextAction ?? before.nextAction),
    failureCode: status === 'completed' ? null : (decision.failure?.code ?? before.failureCode),
    failureMessage: status === 'completed' ? null : (decision.failure?.message ?? before.failureMessage),
    // A late success: the account that paid has its money back and may have spent it. The organisation bears it.
    fundingAccountId: before.status === 'failed' && status === 'completed' ? null : before.fundingAccountId,
    refundedMinor: status === 'refunded' ? before.source.amountMinor : before.refundedMinor,
  }
  return isSame(before, after) ? before : { ...after, updatedAt: now }
}

/** A prompt, a page, instructions: from here on the customer may act, and no second provider may ask again. */
const isForCustomer = (action: NextAction | undefined): boolean =>
  action !== undefined && action.type !== 'check_status'

/** An open payment is looked after by the engine; one that has ended costs it nothing. */
function supervisionOf(
  previous: Status,
  payment: Payment,
  attempt: StoredAttempt,
  now: Date,
): CompiledQuery[] {
  if (isSettled(payment.status))
    return isSettled(previous) ? [] : [dropStatement(payment.orgId, payment.paymentId)]
  if (attempt.state === 'unknown' && attempt.inquiries === 0)
    return [superviseSooner(payment, new Date(now.getTime() + firstInquiryMs))]
  return []
}

function exceptionFor(
  payment: Payment,
  attempt: StoredAttempt,
  kind: NonNullable<Decision['exception']>,
): NewException {
  return {
    kind,
    paymentId: payment.paymentId,
    provider: attempt.provider,
    findingKey: `${kind} ${payment.paymentId} ${attempt.attemptNo}`,
    ...exceptionTexts[kind],
  }
}

/** By value of each field; the fields are plain or kept by reference. */
const isSame = <T extends object>(a: T, b: T): boolean =>
  (Object.keys(a) as (keyof T)[]).every((key) => key === 'updatedAt' || a[key] === b[key]) // keys of T by construction
