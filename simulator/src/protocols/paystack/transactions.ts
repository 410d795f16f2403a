import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import type { Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type Behaviour, type DeclineReason } from '../../sentinels.ts'
import { handled, notFound, parseRequest } from './envelope.ts'
import { CHANNEL_UNAVAILABLE, DUPLICATE_REFERENCE, failureOf } from './failures.ts'
import { majorOf, newCode, newId } from './identifiers.ts'
import { listAnswer } from './paging.ts'
import { presentTransaction, transactionStatusOf } from './present-transaction.ts'
import { initializeSchema, type ChargeDetails } from './schema.ts'
import type { Paystack } from './state.ts'

/** Opens a hosted page, on which the customer pays. */
export async function initializeTransaction(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(initializeSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { kit } = paystack
  const { input } = parsed
  const reference = input.reference ?? newCode('T')
  const accessCode = newCode('')
  const amount = majorOf(input.amount)
  const behaviour = behaviourFor({ amount })
  const details: ChargeDetails = {
    id: newId(),
    flow: 'hosted',
    email: input.email,
    metadata: input.metadata,
    tellsFailure: tellsFailure(call),
    callbackUrl: input.callback_url,
    planAfterAction: planAfterAction(kit, behaviour, declineOf(call, behaviour)),
  }
  return carryOut(kit, call, {
    operation: 'collect',
    reference,
    providerRef: String(details.id),
    method: input.channels?.[0] ?? 'card',
    amount,
    currency: input.currency,
    behaviour,
    details,
    start: { state: 'action_required', plan: [] },
    duplicate: () => DUPLICATE_REFERENCE,
    decline: (reason) => (reason === 'temporarily_unavailable' ? CHANNEL_UNAVAILABLE : undefined),
    failure: (reason) => failureOf('collect', reason),
    accepted: (transaction) => {
      paystack.checkouts.put(accessCode, { account: transaction.account, reference })
      return handled('Authorization URL created', {
        authorization_url: `${kit.publicUrl()}/paystack/checkout/${accessCode}`,
        access_code: accessCode,
        reference,
      })
    },
  })
}

export function verifyTransaction(paystack: Paystack, call: Call): Answer {
  const transaction = findCharge(paystack, call.account.name, call.params['reference'])
  if (transaction === undefined) return notFound('Transaction reference not found', 'transaction_not_found')
  return handled('Verification successful', presentTransaction(paystack, transaction))
}

export function listTransactions(paystack: Paystack, call: Call): Answer {
  return listAnswer(paystack.kit, call, {
    operation: 'collect',
    message: 'Transactions retrieved',
    statusOf: (transaction) => transactionStatusOf(paystack, transaction),
    present: (transaction) => presentTransaction(paystack, transaction),
  })
}

export function findCharge(
  { kit }: Paystack,
  account: string,
  reference: string | undefined,
): Transaction | undefined {
  return reference === undefined
    ? undefined
    : kit.transactions.find({ account, operation: 'collect', reference })
}

export function declineOf(call: Call, behaviour: Behaviour): DeclineReason | undefined {
  return call.fault?.fault === 'decline' ? call.fault.reason : behaviour.decline
}

/** Depends on the account's option `charge_failed_events`. */
export function tellsFailure(call: Call): boolean {
  return call.account.options['charge_failed_events'] === true
}

/** The plan after the customer has acted. */
export function planAfterAction(kit: Kit, behaviour: Behaviour, decline: DeclineReason | undefined): Step[] {
  return planFor({
    delayMs: kit.delayMs,
    outcome: decline === undefined ? behaviour.outcome : 'fails',
    failure: (reason) => failureOf('collect', decline ?? reason),
  })
}
