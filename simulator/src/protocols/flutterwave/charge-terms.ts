import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { planFor, type MoneyRequest } from '../../core/carry-out.ts'
import type { Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import type { Behaviour, DeclineReason } from '../../sentinels.ts'
import { refused } from './envelope.ts'
import { DUPLICATE_CHARGE, failureOf } from './failures.ts'
import { newFlwRef, newId } from './identifiers.ts'
import type { ChargeDetails } from './schema.ts'

interface ChargeInput {
  readonly tx_ref: string
  readonly amount: string
  readonly currency: string
  readonly email: string
  readonly phone_number?: string | undefined
  readonly redirect_url?: string | undefined
}

/** The plan after the customer has acted. */
export function planOf(kit: Kit, call: Call, behaviour: Behaviour): Step[] {
  const decline = call.fault?.fault === 'decline' ? call.fault.reason : behaviour.decline
  return planFor({
    delayMs: kit.delayMs,
    outcome: decline === undefined ? behaviour.outcome : 'fails',
    failure: (reason) => behaviour.failure ?? failureOf('collect', decline ?? reason),
  })
}

export function newDetails(input: ChargeInput, authModel: string, plan: Step[]): ChargeDetails {
  return {
    id: newId(),
    flwRef: newFlwRef(),
    email: input.email,
    authModel,
    phone: input.phone_number,
    redirectUrl: input.redirect_url,
    planAfterAction: plan,
    otpTries: 0,
  }
}

type Common = Pick<
  MoneyRequest,
  'operation' | 'reference' | 'providerRef' | 'amount' | 'currency' | 'duplicate' | 'failure'
>

export function commonTerms(input: ChargeInput, details: ChargeDetails): Common {
  return {
    operation: 'collect',
    reference: input.tx_ref,
    providerRef: String(details.id),
    amount: input.amount,
    currency: input.currency,
    duplicate: () => refused(400, DUPLICATE_CHARGE),
    failure: (reason) => failureOf('collect', reason),
  }
}

/** Only an unavailable channel is refused immediately; a lack of funds shows when the customer pays. */
export function unavailableOnly(reason: DeclineReason): Answer | undefined {
  return reason === 'temporarily_unavailable' ? refused(400, failureOf('collect', reason).message) : undefined
}

export function findCharge(kit: Kit, account: string, reference: string): Transaction | undefined {
  return kit.transactions.find({ account, operation: 'collect', reference })
}
