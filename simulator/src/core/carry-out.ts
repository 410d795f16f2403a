import { randomUUID } from 'node:crypto'
import type { Kit } from '../protocol.ts'
import type { Behaviour, DeclineReason, FailureReason, Outcome } from '../sentinels.ts'
import { EFFECT_OF_FAULT, onlyEffect, type Answer } from './answer.ts'
import type { Call } from './call.ts'
import { FAULTS_BEFORE_ACCEPTANCE } from './fault-names.ts'
import type { Failure, MoneyOperation, Step, Transaction } from './transaction.ts'

/** A valid, authenticated request to move money, with the provider's answers for each result. */
export interface MoneyRequest {
  readonly operation: MoneyOperation
  readonly reference: string
  readonly providerRef?: string
  readonly method: string
  /** Decimal text in the major unit. */
  readonly amount: string
  readonly currency: string
  readonly behaviour: Behaviour
  readonly details: Readonly<Record<string, unknown>>
  /** The initial state and plan, if the provider does not simply wait for the payer. */
  readonly start?: Pick<Transaction, 'state' | 'plan'>
  /** True if the protocol can ask for a one-time password. Otherwise the OTP sentinel succeeds. */
  readonly asksForOtp?: boolean
  readonly duplicate: (existing: Transaction) => Answer
  /** A refusal by the provider's rules. It is evaluated after the duplicate check, so a repeat is never refused. */
  readonly check?: () => Answer | undefined
  /** The immediate refusal; undefined if the provider accepts the request and fails it later. */
  readonly decline: (reason: DeclineReason) => Answer | undefined
  readonly failure: (reason: FailureReason) => Failure
  readonly accepted: (transaction: Transaction) => Answer
}

/**
 * The only way to accept money: at most once per account, operation and reference.
 * Nothing is awaited between lookup and acceptance, so identical concurrent calls cause one acceptance.
 */
export async function carryOut(kit: Kit, call: Call, request: MoneyRequest): Promise<Answer> {
  const { operation, reference, behaviour } = request
  const existing = kit.transactions.find({ account: call.account.name, operation, reference })
  if (existing !== undefined) return request.duplicate(existing)
  const broken = request.check?.()
  if (broken !== undefined) return broken

  const { fault } = behaviour
  if (fault !== undefined && isBeforeAcceptance(fault)) return onlyEffect(EFFECT_OF_FAULT[fault])
  const declined = call.fault?.fault === 'decline' ? call.fault.reason : behaviour.decline
  const refusal = declined && request.decline(declined)
  if (refusal !== undefined) return refusal

  const transaction = kit.accept({
    account: call.account.name,
    operation,
    reference,
    providerRef: request.providerRef ?? randomUUID(),
    method: request.method,
    amount: request.amount,
    currency: request.currency,
    details: request.details,
    webhooks: behaviour.webhooks,
    ...(request.start ?? startOf(kit, request, declined)),
  })
  const answer = request.accepted(transaction)
  const [firstStep, ...rest] = transaction.plan
  if (behaviour.webhooks === 'before_answer' && firstStep !== undefined)
    await kit.move(transaction, firstStep, rest)
  return fault === undefined ? answer : { ...answer, effect: EFFECT_OF_FAULT[fault] }
}

interface PlanInput {
  readonly delayMs: number
  readonly outcome: Outcome
  readonly failure: (reason: FailureReason) => Failure
}

/** The steps of a transaction after the payer was prompted. */
export function planFor({ delayMs, outcome, failure }: PlanInput): Step[] {
  const completed: Step = { afterMs: delayMs, state: 'completed' }
  const failed: Step = { afterMs: delayMs, state: 'failed', failure: failure('not_approved') }
  switch (outcome) {
    case 'succeeds':
    case 'needs_otp':
      return [completed]
    case 'fails':
      return [failed]
    case 'stays_pending':
      return []
    case 'succeeds_then_reversed':
      return [completed, { afterMs: delayMs, state: 'reversed', failure: failure('reversed') }]
    case 'fails_then_succeeds':
      return [failed, completed]
  }
}

function startOf(
  kit: Kit,
  request: MoneyRequest,
  declined: DeclineReason | undefined,
): Pick<Transaction, 'state' | 'plan'> {
  const { behaviour } = request
  if (declined === undefined && behaviour.outcome === 'needs_otp' && request.asksForOtp === true) {
    return { state: 'action_required', plan: [] }
  }
  const outcome = declined === undefined ? behaviour.outcome : 'fails'
  const failure = (reason: FailureReason) =>
    declined === undefined ? (behaviour.failure ?? request.failure(reason)) : request.failure(declined)
  return { state: 'pending', plan: planFor({ delayMs: kit.delayMs, outcome, failure }) }
}

function isBeforeAcceptance(fault: string): boolean {
  return FAULTS_BEFORE_ACCEPTANCE.some((name) => name === fault)
}
