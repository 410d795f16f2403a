import type { Money } from '../../lib/money/money.ts'
import type { Attempt, NextAction, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failedWith, type FailureCode } from '../kit/failures.ts'
import { movedAmount } from '../kit/moved-amount.ts'
import { declined, inOrder, reasonIn } from '../kit/reasons.ts'
import { createReplyReader, type Reading, type RefusedReply } from '../kit/replies.ts'
import { movementSchema, type Movement } from './answers.ts'

type State = 'pending' | 'processing' | 'completed' | 'failed' | 'reversed'
type Words = Readonly<Record<State, readonly string[]>>

/** Statuses of `/charge`, verify and the list. `abandoned` is not final, because the page can still be paid. */
export const chargeWords: Words = {
  pending: ['abandoned', 'ongoing', 'pay_offline', 'pending', 'pending_bank_transfer', 'send_otp'],
  processing: ['processing', 'queued'],
  completed: ['success'],
  failed: ['failed', 'timeout'],
  reversed: ['reversed'],
}

export const transferWords: Words = {
  pending: ['otp'],
  processing: ['pending', 'received'],
  completed: ['success'],
  failed: ['abandoned', 'blocked', 'failed', 'rejected'],
  reversed: ['reversed'],
}

export const refundWords: Words = {
  pending: ['needs-attention'],
  processing: ['pending', 'processing'],
  completed: ['processed'],
  failed: ['failed'],
  reversed: [],
}

/** An unknown status is never final. */
export function stateOf(words: Words, status: string, code: FailureCode = 'UNSPECIFIED'): ProviderState {
  if (words.failed.includes(status)) return failedWith(code)
  if (words.reversed.includes(status)) return failedWith('REVERSED')
  if (words.completed.includes(status)) return { state: 'completed' }
  return { state: words.processing.includes(status) ? 'processing' : 'pending' }
}

export function failureCodeOf({ status, channel, gateway_response, message }: Movement): FailureCode {
  const found = reasonIn(`${status} ${gateway_response ?? ''} ${message ?? ''}`)?.[1]
  return found ?? (channel === 'card' ? 'CARD_DECLINED' : 'UNSPECIFIED')
}

export const readMovement =
  (attempt: Attempt): Reading =>
  (data) => {
    const movement = movementSchema.safeParse(data).data
    if (!movement || (movement.reference ?? attempt.reference) !== attempt.reference) return undefined
    const isPayin = attempt.direction === 'payin'
    const state = stateOf(isPayin ? chargeWords : transferWords, movement.status, failureCodeOf(movement))
    const nextAction = isPayin ? actionOf(movement) : undefined
    const providerRef = movement.transfer_code ?? movement.id ?? null
    const moved = amountOf(movement)
    // Nothing is completed by an answer that does not say how much was paid.
    if (state.state === 'completed' && !moved) return undefined
    const amount = moved && movedAmount(attempt.amount, moved)
    return {
      kind: 'accepted',
      providerRef,
      providerStatus: movement.status,
      state,
      amount,
      cost: costOf(movement),
      nextAction,
    }
  }

type Charged = Pick<Movement, 'amount' | 'requested_amount' | 'fees' | 'fee_charged' | 'currency'>

/** What the payer paid for the fees, on top of what we asked for. More than the fees is no fee. */
export function feesBorneByPayer({ amount, requested_amount: requested, fees }: Charged): bigint {
  const surplus = amount && requested ? amount - requested : 0n
  return surplus > 0n && surplus <= (fees ?? 0n) ? surplus : 0n
}

/** Without the fees that the payer bore. */
export function amountOf(movement: Charged): Money | undefined {
  const { amount, currency } = movement
  return typeof amount === 'bigint' && currency
    ? { amountMinor: amount - feesBorneByPayer(movement), currency }
    : undefined
}

/** The fees that are taken from us. */
export function costOf(movement: Charged): Money | undefined {
  const { fees, fee_charged: feeCharged, currency } = movement
  const amountMinor = (fees ?? feeCharged ?? 0n) - feesBorneByPayer(movement)
  return amountMinor && currency ? { amountMinor, currency } : undefined
}

function actionOf(movement: Movement): NextAction | undefined {
  const { account_name, account_number, account_expires_at: expires_at, bank } = movement
  const message = movement.display_text ? { message: movement.display_text } : {}
  if (movement.status === 'pay_offline') return { type: 'wait', ...message }
  if (movement.status === 'send_otp') return { type: 'collect_otp', ...message }
  if (movement.status === 'pending') return { type: 'check_status' }
  if (movement.status !== 'pending_bank_transfer' || !account_number) return undefined
  const more = { ...(account_name && { account_name }), ...(bank && { bank_name: bank.name }) }
  const instructions = { account_number, ...more, ...(expires_at && { expires_at }) }
  return { type: 'bank_transfer', instructions }
}

export const readRefund: Reading = (data) => {
  const { id: providerRef, status } = movementSchema.safeParse(data).data ?? {}
  if (!providerRef || !status) return undefined
  return { kind: 'accepted', providerRef, providerStatus: status, state: stateOf(refundWords, status) }
}

const notFoundWords = inOrder(/transaction|transfer|refund/i, /not.found/i)

/** The OpenAPI file documents 404; in practice Paystack answers 400 with such a code and message. */
const isNotFound = ({ status, words }: RefusedReply): boolean =>
  status === 404 || (status === 400 && notFoundWords.test(words.join(' ')))

/** Only documented refusals are certain; a duplicate reference means that an earlier call arrived. */
export function refusalOf({ status, words }: RefusedReply): Outcome {
  const text = words.join(' ')
  const isRepeat = status === 409 || /duplicate|already (been used|exist)|unique reference/i.test(text)
  if (isRepeat) return { kind: 'unknown', reason: 'the reference is a duplicate' }
  if (status === 401) return declined('PROVIDER_REFUSED')
  const [, code, next] = reasonIn(text) ?? [undefined, 'PROVIDER_REFUSED' as const]
  const isClear = !words.includes('processor_error') && !words.includes('api_error')
  const isCertain = isClear && (status === 404 || words.includes('validation_error'))
  if (isCertain || code === 'PROVIDER_OUT_OF_FUNDS') return declined(code, next)
  return { kind: 'unknown', reason: `HTTP ${status}` }
}

export const { outcomeOf, inquiryOf, notPrepared } = createReplyReader({ refusalOf, isNotFound })
