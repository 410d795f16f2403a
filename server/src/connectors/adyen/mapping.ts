import type { Attempt, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf } from '../kit/failures.ts'
import { declined, refusalTable } from '../kit/reasons.ts'
import { createReplyReader, type RefusedReply } from '../kit/replies.ts'
import type { Payment, Transfer } from './answers.ts'

/** Refusal codes of cards, reasons of transfers and error codes. Another provider may accept soft declines. */
const refusals = refusalTable([
  ['ACCOUNT_INVALID', 'final', 'counterpartyAccountBlocked counterpartyAccountClosed invalidAccount'],
  ['ACCOUNT_LIMIT_REACHED', 'final', '18 28 29'],
  ['ACCOUNT_NOT_FOUND', 'final', 'counterpartyAccountNotFound'],
  ['AMOUNT_NOT_ALLOWED', 'fallback', '7 amountLimitExceeded'],
  ['AUTHENTICATION_FAILED', 'final', '11 17 19 32 33 36 38 39'],
  ['CARD_DECLINED', 'fallback', '2 3'],
  ['CARD_DECLINED', 'final', '5 23 25 26 27'],
  ['CARD_EXPIRED', 'final', '6'],
  ['CARD_INVALID', 'final', '8 24 101 102 103 129 140 141 153'],
  ['INSUFFICIENT_FUNDS', 'final', '12'],
  ['NETWORK_NOT_SUPPORTED', 'fallback', 'routeNotFound'],
  ['NOT_APPROVED', 'final', '15 16'],
  ['PROVIDER_OUT_OF_FUNDS', 'fallback', 'notEnoughBalance'],
  ['PROVIDER_UNAVAILABLE', 'fallback', '9 10 21 counterpartyBankUnavailable'],
  ['SUSPECTED_FRAUD', 'final', '14 20 22 31 declinedByTransactionRule'],
])

/** "Error" is final only if the answer names a payment. */
export function paymentOutcome({ reference }: Attempt, payment: Payment): Outcome {
  const { resultCode, pspReference = null, merchantReference, refusalReasonCode, action } = payment
  if ((merchantReference ?? reference) !== reference)
    return { kind: 'unknown', reason: 'the answer concerns another payment' }
  if (resultCode === 'Refused')
    return declined(...(refusals.get(refusalReasonCode ?? '') ?? ['CARD_DECLINED', 'final']))
  if (resultCode === 'Cancelled') return declined('NOT_APPROVED', 'final')
  if (resultCode === 'Error')
    return pspReference ? declined('UNSPECIFIED', 'final') : { kind: 'unknown', reason: 'resultCode Error' }
  const stateOfOthers = resultCode.endsWith('Shopper') ? 'pending' : 'processing'
  const state = resultCode === 'Authorised' ? 'completed' : stateOfOthers
  if (state === 'completed' && !pspReference)
    return { kind: 'unknown', reason: 'Authorised without a pspReference' }
  const url = action?.type === 'redirect' && action.method !== 'POST' ? action.url : undefined
  if (state === 'pending' && !url) return { kind: 'unknown', reason: 'an unsupported kind of authentication' }
  const seen = { kind: 'accepted', providerRef: pspReference, providerStatus: resultCode } as const
  return { ...seen, state: { state }, nextAction: url ? { type: 'redirect', url } : undefined }
}

const endedTransfers = ['failed', 'refused', 'rejected', 'error', 'cancelled', 'expired']

/** An error of Adyen's leaves open whether the bank received the transfer. */
const openReasons = ['counterpartyBankTimedOut', 'internalTimeout', 'unknown', 'error']

export function transferState({ status, reason }: Pick<Transfer, 'status' | 'reason'>): ProviderState {
  if (status === 'booked' || status === 'credited') return { state: 'completed' }
  if (status === 'returned') return { state: 'failed', failure: failureOf('REVERSED') }
  if (!endedTransfers.includes(status) || (status === 'error' && openReasons.includes(reason ?? '')))
    return { state: 'processing' }
  return { state: 'failed', failure: failureOf(refusals.get(reason ?? '')?.[0] ?? 'UNSPECIFIED') }
}

/** A transfer that the answer refuses moved no money. */
export const transferRefusal = ({ status, reason }: Transfer): Outcome | undefined =>
  status === 'refused' ? declined(...(refusals.get(reason ?? '') ?? ['UNSPECIFIED', 'final'])) : undefined

const clearStatuses = [400, 401, 403, 404, 422]
/** The key is or was in use, so the first request may have been carried out. */
const usedKeyCodes = ['704', '00_409']

function refusalOf({ status, words: [errorCode = ''] }: RefusedReply): Outcome {
  if (status === 429) return declined('PROVIDER_UNAVAILABLE')
  if (!clearStatuses.includes(status) || usedKeyCodes.includes(errorCode))
    return { kind: 'unknown', reason: `HTTP ${status}, ${errorCode}` }
  const [code, next] = refusals.get(errorCode) ?? ['PROVIDER_REFUSED']
  return declined(code, next)
}

export const { outcomeOf, inquiryOf } = createReplyReader({ refusalOf, isNotFound: () => false })
