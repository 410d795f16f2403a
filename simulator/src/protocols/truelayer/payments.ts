import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, seeOther, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import { DECLINE, decisionOf, PAY, renderPage, returnUrl } from '../../core/hosted-page.ts'
import { stepSchema, type Failure, type Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type FailureReason } from '../../sentinels.ts'
import {
  detailsOf,
  fingerprintOf,
  idempotencyKeyOf,
  invalidParameters,
  isOwnAccount,
  majorOf,
  minorOf,
  moneySchema,
  notFound,
  parseRequest,
  problem,
  repeated,
  type Details,
} from './wire.ts'

const paymentSchema = moneySchema.extend({
  payment_method: z.object({
    type: z.literal('bank_transfer'),
    provider_selection: z.looseObject({ type: z.enum(['user_selected', 'preselected']) }),
    beneficiary: z.object({ type: z.literal('merchant_account'), merchant_account_id: z.string() }),
  }),
  user: z
    .object({ name: z.string().min(1), email: z.email().optional(), phone: z.string().optional() })
    .refine(({ email, phone }) => email !== undefined || phone !== undefined),
  hosted_page: z.object({ return_uri: z.url({ protocol: /^https?$/ }) }).optional(),
  metadata: z.record(z.string().max(40), z.string().max(500)).optional(),
})

const REASONS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'provider_error',
  insufficient_funds: 'insufficient_funds',
  declined: 'provider_rejected',
  not_approved: 'rejected',
  reversed: 'reversed',
}
const failure = (reason: FailureReason): Failure => ({ code: REASONS[reason], message: REASONS[reason] })

export async function createPayment(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(paymentSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { amount_in_minor, currency, payment_method: method, hosted_page, metadata } = parsed.input
  const { merchant_account_id: merchantAccountId } = method.beneficiary
  if (!isOwnAccount(call, merchantAccountId, currency))
    return invalidParameters('payment_method.beneficiary.merchant_account_id')
  const id = randomUUID()
  const uri = `${kit.publicUrl()}/truelayer/pay/${call.account.name}/${id}`
  const answer = {
    id,
    user: { id: randomUUID() },
    resource_token: `resource-token-${id}`,
    status: 'authorization_required',
    ...(hosted_page && { hosted_page: { uri } }),
  }
  const amount = majorOf(amount_in_minor, currency)
  const behaviour = behaviourFor({ amount })
  const declined = call.fault?.fault === 'decline' ? call.fault.reason : behaviour.decline
  const outcome = declined === undefined ? behaviour.outcome : 'fails'
  const failing = (reason: FailureReason) => failure(declined ?? reason)
  const details: Details = {
    fingerprint: fingerprintOf(call),
    answer,
    metadata,
    merchantAccountId,
    returnUri: hosted_page?.return_uri,
    planAfterAction: planFor({ delayMs: kit.delayMs, outcome, failure: failing }),
  }
  return carryOut(kit, call, {
    operation: 'collect',
    reference: idempotencyKeyOf(call) ?? id,
    providerRef: id,
    method: 'bank_transfer',
    amount,
    currency,
    behaviour,
    details,
    start: { state: 'action_required', plan: [] },
    duplicate: (existing) => repeated(call, existing, 201),
    // The bank declines when the customer pays.
    decline: (reason) => (reason === 'temporarily_unavailable' ? problem(403, 'Forbidden') : undefined),
    failure,
    accepted: () => json(201, answer),
  })
}

export function findPayment(kit: Kit, call: Call): Transaction | undefined {
  const payment = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  return payment?.operation === 'collect' ? payment : undefined
}

export function showPayment(kit: Kit, call: Call): Answer {
  const payment = findPayment(kit, call)
  if (payment === undefined) return notFound()
  const { metadata, merchantAccountId } = detailsOf(payment)
  const beneficiary = { type: 'merchant_account', merchant_account_id: merchantAccountId }
  return json(200, {
    id: payment.providerRef,
    amount_in_minor: minorOf(payment),
    currency: payment.currency,
    payment_method: { type: 'bank_transfer', beneficiary },
    status: STATUSES[payment.state],
    created_at: payment.createdAt,
    metadata,
    ...(payment.failure && {
      failure_stage: 'authorizing',
      failed_at: payment.updatedAt,
      failure_reason: payment.failure.code,
    }),
  })
}

const STATUSES: Readonly<Record<Transaction['state'], string>> = {
  action_required: 'authorization_required',
  pending: 'executed',
  completed: 'settled',
  failed: 'failed',
  canceled: 'failed',
  reversed: 'reversed',
}

/** A payment can be canceled until it is authorized. */
export async function cancelPayment(kit: Kit, call: Call): Promise<Answer> {
  const payment = findPayment(kit, call)
  if (payment === undefined) return notFound()
  if (payment.state !== 'action_required') return problem(400, 'Invalid State')
  await kit.move(payment, { state: 'canceled', failure: { code: 'canceled', message: 'canceled' } })
  return json(202, {})
}

/** TrueLayer's hosted page together with the bank's page. */
export async function hostedPage(kit: Kit, call: OpenCall): Promise<Answer> {
  const { account = '', id = '' } = call.params
  const payment = kit.transactions.findByProviderRef(account, id)
  if (payment === undefined) return renderPage({ title: 'No such payment', facts: [], buttons: [] }, 404)
  const isOpen = payment.state === 'action_required'
  const decision = decisionOf(call)
  if (isOpen && decision === PAY.value) {
    const plan = z.array(stepSchema).parse(detailsOf(payment).planAfterAction)
    return back(await kit.move(payment, { state: 'pending' }, plan))
  }
  if (isOpen && decision === DECLINE.value)
    return back(await kit.move(payment, { state: 'failed', failure: failure('not_approved') }))
  return renderPage({
    title: isOpen ? 'Pay by bank' : 'This payment has been decided',
    facts: [['Amount', `${payment.amount} ${payment.currency}`]],
    buttons: isOpen ? [PAY, DECLINE] : [],
  })
}

function back(payment: Transaction): Answer {
  const url = returnUrl(detailsOf(payment).returnUri ?? '', { payment_id: payment.providerRef })
  return url === undefined ? renderPage({ title: 'Done', facts: [], buttons: [] }) : seeOther(url)
}
