import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import { runInBackground } from '../../core/background.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import type { Failure, Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, SUCCESS, type Behaviour } from '../../sentinels.ts'
import { cardFailure, refusalByName } from './refusals.ts'
import {
  amountOf,
  amountSchema,
  idempotencyKeyOf,
  invalidField,
  isOwnMerchant,
  majorOf,
  newPspReference,
  parseRequest,
  refused,
  wrongMerchant,
} from './wire.ts'

/** Documented test cards with 3D Secure. */
const AUTHENTICATED_CARDS = ['4917610000000000', '5212345678901234']

const paymentSchema = z.object({
  amount: amountSchema,
  merchantAccount: z.string(),
  reference: z.string().min(1).max(80),
  returnUrl: z.url({ protocol: /^https?$/ }),
  paymentMethod: z.object({
    type: z.literal('scheme'),
    number: z.string().regex(/^\d{12,19}$/),
    expiryMonth: z.string().regex(/^\d{1,2}$/),
    expiryYear: z.string().regex(/^\d{4}$/),
    cvc: z.string().optional(),
    holderName: z.string().optional(),
  }),
})

const detailsSchema = z.object({
  merchantReference: z.string(),
  merchantAccount: z.string(),
  /** The answer to a repeat with the same key. */
  answer: z.record(z.string(), z.unknown()),
  returnUrl: z.string().optional(),
  redirectResult: z.string().optional(),
  /** Set after the customer left the bank's page. */
  authentication: z.enum(['passed', 'failed']).optional(),
  linkId: z.string().optional(),
  /** For a refund, its payment. */
  originalReference: z.string().optional(),
})
export type Details = z.infer<typeof detailsSchema>
export const detailsOf = ({ details }: Transaction): Details => detailsSchema.parse(details)

export async function createPayment(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(paymentSchema, call, invalidField)
  if ('refusal' in parsed) return parsed.refusal
  const { amount, merchantAccount, reference, returnUrl, paymentMethod } = parsed.input
  if (!isOwnMerchant(call, merchantAccount)) return wrongMerchant()
  const pspReference = newPspReference()
  const named = refusalByName(paymentMethod.holderName)
  const major = majorOf(amount)
  const behaviour: Behaviour = named ? { ...SUCCESS, decline: 'declined' } : behaviourFor({ amount: major })
  const needsPage = AUTHENTICATED_CARDS.includes(paymentMethod.number)
  const redirectResult = `X${newPspReference()}!${pspReference}`
  const plan = planFor({ delayMs: kit.delayMs, outcome: behaviour.outcome, failure: cardFailure })
  const isCharged = plan[0]?.state === 'completed'
  const common = { pspReference, merchantReference: reference, amount }
  const url = `${kit.publicUrl()}/adyen/3ds/${call.account.name}/${pspReference}`
  const answer = needsPage
    ? { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET', url } }
    : { ...common, resultCode: isCharged ? 'Authorised' : 'Received' }
  const details: Details = {
    merchantReference: reference,
    merchantAccount,
    answer,
    returnUrl,
    redirectResult,
  }
  const charged = isCharged ? 'completed' : 'pending'
  const start: Pick<Transaction, 'state' | 'plan'> = needsPage
    ? { state: 'action_required', plan: [] }
    : { state: charged, plan }
  const key = idempotencyKeyOf(call) ?? pspReference
  const terms = { reference: key, providerRef: pspReference, amount: major, currency: amount.currency }
  return carryOut(kit, call, {
    operation: 'collect',
    ...terms,
    method: 'card',
    behaviour,
    details,
    start,
    duplicate: (existing) => json(200, detailsOf(existing).answer),
    decline: (reason) => {
      const failure = call.fault || !named ? cardFailure(reason) : named
      return decline(kit, call, { ...terms, failure, details, common })
    },
    failure: cardFailure,
    accepted: () => json(200, answer),
  })
}

interface DeclineInput {
  readonly reference: string
  readonly providerRef: string
  readonly amount: string
  readonly currency: string
  readonly failure: Failure
  readonly details: Details
  readonly common: object
}

/** A refusal is HTTP 200 and is reported by webhook, as every final state is. */
function decline(kit: Kit, call: Call, declined: DeclineInput): Answer {
  const { failure, common, ...terms } = declined
  const at = kit.clock.now().toISOString()
  const fields = {
    account: call.account.name,
    operation: 'collect',
    method: 'card',
    webhooks: 'once',
  } as const
  const ended = { state: 'failed', failure, createdAt: at, updatedAt: at } as const
  runInBackground(() =>
    kit.resendWebhooks({ provider: kit.provider, ...fields, ...terms, ...ended, plan: [] }),
  )
  return json(200, { ...common, ...refusedFields(failure) })
}

function refusedFields({ code, message }: Failure) {
  const resultCode = code === '4' ? 'Error' : 'Refused'
  return { resultCode, refusalReason: message, refusalReasonCode: code }
}

const returnSchema = z.object({ details: z.object({ redirectResult: z.string().min(1) }) })

/** Only this call charges a card with 3D Secure. */
export async function submitDetails(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(returnSchema, call, invalidField)
  if ('refusal' in parsed) return parsed.refusal
  const { redirectResult } = parsed.input.details
  const pspReference = redirectResult.split('!')[1] ?? ''
  const payment = kit.transactions.findByProviderRef(call.account.name, pspReference)
  if (payment?.operation !== 'collect' || detailsOf(payment).redirectResult !== redirectResult)
    return refused(422, '14_030', 'Return URL is invalid or the redirectResult is unknown.')
  const { authentication, merchantReference } = detailsOf(payment)
  const common = { pspReference, merchantReference, amount: amountOf(payment) }
  if (payment.state !== 'action_required') return json(200, { ...common, ...resultOf(payment) })
  if (authentication === undefined) return refused(422, '14_031', 'The shopper has not been redirected back.')
  const charged = await charge(kit, payment, authentication === 'failed')
  return json(200, { ...common, ...resultOf(charged) })
}

async function charge(kit: Kit, payment: Transaction, isRefused: boolean): Promise<Transaction> {
  const { decline: declined, outcome } = behaviourFor({ amount: payment.amount })
  const reason = isRefused ? 'not_approved' : declined
  if (reason) return kit.move(payment, { state: 'failed', failure: cardFailure(reason) })
  const plan: Step[] = planFor({ delayMs: kit.delayMs, outcome, failure: cardFailure })
  const [first, ...rest] = plan
  if (first?.state === 'completed') return kit.move(payment, first, rest)
  return kit.move(payment, { state: 'pending' }, plan)
}

function resultOf({ state, failure }: Transaction): object {
  if (state === 'completed') return { resultCode: 'Authorised' }
  return failure ? refusedFields(failure) : { resultCode: 'Received' }
}
