import type { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import {
  behaviourFor,
  MAX_OTP_TRIES,
  RIGHT_OTP,
  type Behaviour,
  type DeclineReason,
} from '../../sentinels.ts'
import { telcoOf } from './bank-list.ts'
import { handled, notFound, parseRequest, refused } from './envelope.ts'
import { CHANNEL_UNAVAILABLE, DUPLICATE_REFERENCE, failureOf } from './failures.ts'
import { idOfText, majorOf, newCode, newId } from './identifiers.ts'
import { chargeDetailsOf, chargeStatusOf, presentCharge } from './present-transaction.ts'
import { chargeSchema, submitOtpSchema, type ChargeDetails } from './schema.ts'
import type { Paystack } from './state.ts'
import { declineOf, findCharge, planAfterAction, tellsFailure } from './transactions.ts'

const ATTEMPTED = 'Charge attempted'
/** Telcos without a prompt: the customer enters a voucher code. */
const VOUCHER_TELCOS = ['VOD']
const ACCOUNT_LIFETIME_MS = 3_600_000
const NUBAN_RANGE = 10_000_000_000

type ChargeInput = z.infer<typeof chargeSchema>

export async function createCharge(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(chargeSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  if (input.mobile_money !== undefined) return chargeMobileMoney(paystack, call, input)
  if (input.bank_transfer !== undefined) return chargeBankTransfer(paystack, call, input)
  return refused(400, {
    message: 'One of mobile money or bank transfer should be passed. Cards are charged on the hosted page.',
    code: 'missing_charge_object',
  })
}

async function chargeMobileMoney(paystack: Paystack, call: Call, input: ChargeInput): Promise<Answer> {
  const { kit } = paystack
  const { phone = '', provider = '' } = input.mobile_money ?? {}
  const telco = telcoOf(provider, input.currency)
  const reference = input.reference ?? newCode('T')
  const amount = majorOf(input.amount)
  const behaviour = behaviourFor({ amount, account: phone })
  const needsOtp = behaviour.outcome === 'needs_otp' || VOUCHER_TELCOS.includes(telco?.code ?? '')
  const plan = planAfterAction(kit, behaviour, declineOf(call, behaviour))
  const details: ChargeDetails = {
    id: newId(),
    flow: 'mobile_money',
    email: input.email,
    metadata: input.metadata,
    tellsFailure: tellsFailure(call),
    phone,
    telco: telco?.name,
    planAfterAction: plan,
  }
  const status = needsOtp ? 'send_otp' : 'pay_offline'
  return carryOut(kit, call, {
    ...commonTerms(input, { reference, amount, behaviour }),
    providerRef: String(details.id),
    method: 'mobile_money',
    details,
    start: needsOtp ? { state: 'action_required', plan: [] } : { state: 'pending', plan },
    check: () => problemOfMobileMoney(phone, telco !== undefined),
    decline: (reason) => declinedCharge(reference, reason),
    accepted: (transaction) => handled(ATTEMPTED, presentCharge(paystack, transaction, status)),
  })
}

async function chargeBankTransfer(paystack: Paystack, call: Call, input: ChargeInput): Promise<Answer> {
  const { kit } = paystack
  const reference = input.reference ?? newCode('T')
  const amount = majorOf(input.amount)
  const expiresAt = input.bank_transfer?.account_expires_at
  const defaultExpiry = new Date(kit.clock.now().getTime() + ACCOUNT_LIFETIME_MS)
  const details: ChargeDetails = {
    id: newId(),
    flow: 'bank_transfer',
    email: input.email,
    metadata: input.metadata,
    tellsFailure: tellsFailure(call),
    accountNumber: String((idOfText(reference) * 7) % NUBAN_RANGE).padStart(10, '0'),
    accountExpiresAt: new Date(expiresAt ?? defaultExpiry).toISOString(),
  }
  return carryOut(kit, call, {
    ...commonTerms(input, { reference, amount, behaviour: behaviourFor({ amount }) }),
    providerRef: String(details.id),
    method: 'bank_transfer',
    details,
    check: () => (input.currency === 'NGN' ? undefined : unsupportedCurrency()),
    // There is no payer yet, so a charge with the sentinel for insufficient funds is accepted and fails later.
    decline: (reason) => (reason === 'temporarily_unavailable' ? CHANNEL_UNAVAILABLE : undefined),
    accepted: (transaction) =>
      handled(ATTEMPTED, presentCharge(paystack, transaction, 'pending_bank_transfer')),
  })
}

function commonTerms(
  input: ChargeInput,
  terms: { readonly reference: string; readonly amount: string; readonly behaviour: Behaviour },
) {
  return {
    operation: 'collect' as const,
    ...terms,
    currency: input.currency,
    duplicate: () => DUPLICATE_REFERENCE,
    failure: (reason: Parameters<typeof failureOf>[1]) => failureOf('collect', reason),
  }
}

export async function submitOtp(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(submitOtpSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { otp, reference } = parsed.input
  const transaction = findCharge(paystack, call.account.name, reference)
  if (transaction === undefined) return notFound('Transaction reference not found', 'transaction_not_found')
  const details = chargeDetailsOf(transaction)
  if (transaction.state !== 'action_required' || details.flow !== 'mobile_money') {
    return refused(400, { message: 'This charge is not waiting for an OTP', code: 'invalid_charge_state' })
  }
  if (otp !== RIGHT_OTP) return refuseOtp(paystack, transaction, (details.otpTries ?? 0) + 1)
  const paid = await paystack.kit.move(transaction, { state: 'pending' }, details.planAfterAction)
  return handled(ATTEMPTED, presentCharge(paystack, paid, 'pending'))
}

async function refuseOtp(paystack: Paystack, transaction: Transaction, otpTries: number): Promise<Answer> {
  const details = { otpTries }
  if (otpTries >= MAX_OTP_TRIES) {
    const failure = { code: 'too_many_otps', message: 'Incorrect OTP too many times' }
    const failed = await paystack.kit.move(transaction, { state: 'failed', failure, details })
    return handled(ATTEMPTED, presentCharge(paystack, failed, 'failed'))
  }
  await paystack.kit.move(transaction, { state: 'action_required', details })
  return refused(400, {
    message: 'Incorrect OTP',
    code: 'incorrect_otp',
    nextStep: 'Show the error to the customer and ask for correct OTP',
  })
}

export function checkCharge(paystack: Paystack, call: Call): Answer {
  const transaction = findCharge(paystack, call.account.name, call.params['reference'])
  if (transaction === undefined) return notFound('Transaction reference not found', 'transaction_not_found')
  const status = chargeStatusOf(paystack, transaction)
  return handled('Reference check successful', presentCharge(paystack, transaction, status))
}

function problemOfMobileMoney(phone: string, isTelcoKnown: boolean): Answer | undefined {
  if (!isTelcoKnown) {
    return refused(400, { message: 'Invalid mobile money provider', code: 'invalid_provider' })
  }
  return /^\+?\d{9,15}$/.test(phone)
    ? undefined
    : refused(400, { message: 'Invalid phone number', code: 'invalid_phone' })
}

function unsupportedCurrency(): Answer {
  return refused(400, { message: 'Currency not supported by merchant', code: 'unsupported_currency' })
}

/** A charge that fails immediately is HTTP 200: the request was handled, but no money moved. */
function declinedCharge(reference: string, reason: DeclineReason): Answer {
  if (reason === 'temporarily_unavailable') return CHANNEL_UNAVAILABLE
  const { message } = failureOf('collect', reason)
  return json(200, {
    status: true,
    message: ATTEMPTED,
    data: { reference, status: 'failed', message, gateway_response: message, channel: 'mobile_money' },
  })
}
