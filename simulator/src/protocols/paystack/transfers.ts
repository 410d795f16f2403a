import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import { behaviourFor, MAX_OTP_TRIES, RIGHT_OTP } from '../../sentinels.ts'
import { handled, notFound, parseRequest, refused } from './envelope.ts'
import { failureOf, refusalOfTransfer } from './failures.ts'
import { majorOf, newCode, newId } from './identifiers.ts'
import { listAnswer } from './paging.ts'
import { presentRecipient, presentTransfer, transferDetailsOf, transferStatusOf } from './present-payout.ts'
import { finalizeSchema, resendOtpSchema, transferSchema, type TransferDetails } from './schema.ts'
import type { Paystack } from './state.ts'

/** Transfers are idempotent: the same reference returns the same transfer. */
export async function initiateTransfer(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(transferSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { recipient: recipientCode, reference, currency, reason } = parsed.input
  const recipient = paystack.recipients.get(recipientCode)
  if (recipient?.account !== call.account.name) {
    return refused(400, { message: 'Recipient specified is invalid', code: 'invalid_recipient' })
  }
  const amount = majorOf(parsed.input.amount)
  const details: TransferDetails = { id: newId(), recipientCode, reason }
  return carryOut(paystack.kit, call, {
    operation: 'payout',
    reference,
    providerRef: newCode('TRF_'),
    method: recipient.type,
    amount,
    currency,
    behaviour: behaviourFor({ amount, account: recipient.accountNumber }),
    details,
    asksForOtp: true,
    duplicate: (existing) => transferAnswer(existing, recipient.id),
    check: () =>
      currency === recipient.currency
        ? undefined
        : refused(400, { message: 'The recipient takes another currency', code: 'unsupported_currency' }),
    decline: refusalOfTransfer,
    failure: (why) => failureOf('payout', why),
    accepted: (transaction) => transferAnswer(transaction, recipient.id),
  })
}

function transferAnswer(transaction: Transaction, recipientId: number): Answer {
  const message =
    transaction.state === 'action_required' ? 'Transfer requires OTP to continue' : 'Transfer has been queued'
  return handled(message, presentTransfer(transaction, recipientId))
}

export async function finalizeTransfer(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(finalizeSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const waiting = findWaiting(paystack, call, parsed.input.transfer_code)
  if ('refusal' in waiting) return waiting.refusal
  const { transfer } = waiting
  if (parsed.input.otp !== RIGHT_OTP) return refuseOtp(paystack, transfer)
  const plan = planFor({
    delayMs: paystack.kit.delayMs,
    outcome: 'succeeds',
    failure: (why) => failureOf('payout', why),
  })
  const moved = await paystack.kit.move(transfer, { state: 'pending' }, plan)
  return transferAnswer(moved, 0)
}

export function resendTransferOtp(paystack: Paystack, call: Call): Answer {
  const parsed = parseRequest(resendOtpSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const waiting = findWaiting(paystack, call, parsed.input.transfer_code)
  return 'refusal' in waiting ? waiting.refusal : handled('OTP has been resent', {})
}

export function verifyTransfer(paystack: Paystack, call: Call): Answer {
  const { reference = '' } = call.params
  const key = { account: call.account.name, operation: 'payout', reference } as const
  const transfer = paystack.kit.transactions.find(key)
  if (transfer === undefined) return notFound('Transfer not found', 'transfer_not_found')
  return handled('Transfer retrieved', presentFully(paystack, transfer))
}

export function listTransfers(paystack: Paystack, call: Call): Answer {
  return listAnswer(paystack.kit, call, {
    operation: 'payout',
    message: 'Transfers retrieved',
    statusOf: transferStatusOf,
    present: (transfer) => presentFully(paystack, transfer),
  })
}

function presentFully(paystack: Paystack, transfer: Transaction) {
  const recipient = paystack.recipients.get(transferDetailsOf(transfer).recipientCode)
  return presentTransfer(transfer, recipient === undefined ? {} : presentRecipient(recipient))
}

function findWaiting(
  paystack: Paystack,
  call: Call,
  transferCode: string,
): { readonly transfer: Transaction } | { readonly refusal: Answer } {
  const transfer = paystack.kit.transactions.findByProviderRef(call.account.name, transferCode)
  if (transfer?.operation !== 'payout') {
    return { refusal: notFound('Transfer code is not valid', 'transfer_not_found') }
  }
  if (transfer.state !== 'action_required') {
    const refusal = { message: 'Transfer is not currently awaiting OTP', code: 'invalid_transfer_state' }
    return { refusal: refused(400, refusal) }
  }
  return { transfer }
}

async function refuseOtp(paystack: Paystack, transfer: Transaction): Promise<Answer> {
  const otpTries = (transferDetailsOf(transfer).otpTries ?? 0) + 1
  const isLast = otpTries >= MAX_OTP_TRIES
  await paystack.kit.move(transfer, {
    state: isLast ? 'canceled' : 'action_required',
    details: { otpTries },
  })
  return refused(400, { message: 'Incorrect OTP', code: 'incorrect_otp' })
}
