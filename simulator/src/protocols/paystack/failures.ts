import type { Answer } from '../../core/answer.ts'
import type { Failure, MoneyOperation } from '../../core/transaction.ts'
import type { DeclineReason, FailureReason } from '../../sentinels.ts'
import { refused } from './envelope.ts'

export const DUPLICATE_REFERENCE: Answer = refused(400, {
  message: 'Duplicate Transaction Reference',
  code: 'duplicate_reference',
  nextStep: 'Try and create the Transaction or Charge with a new reference',
})

export const CHANNEL_UNAVAILABLE: Answer = refused(400, {
  message: 'This payment channel is currently unavailable',
  code: 'channel_unavailable',
  nextStep: 'Use another channel, or try again later',
})

const TRANSFER_REFUSALS: Readonly<Record<DeclineReason, Answer>> = {
  temporarily_unavailable: refused(400, {
    message: 'Transfers to this destination are currently unavailable',
    code: 'transfer_unavailable',
    nextStep: 'Try again later',
  }),
  insufficient_funds: refused(400, {
    message: 'Your balance is not enough to fulfill this request',
    code: 'insufficient_balance',
    nextStep: 'Fund your balance and try again',
  }),
  declined: refused(400, {
    message: 'Transfers to this account have been disabled',
    code: 'recipient_blocked',
    nextStep: 'The owner of the account should reach out to their bank',
  }),
}

const REFUND_REFUSALS: Readonly<Record<DeclineReason, Answer>> = {
  temporarily_unavailable: refused(400, {
    message: 'Refunds on this channel are currently unavailable',
    code: 'refund_unavailable',
    nextStep: 'Try again later',
  }),
  insufficient_funds: TRANSFER_REFUSALS.insufficient_funds,
  declined: refused(400, {
    message: 'This transaction cannot be refunded',
    code: 'refund_not_allowed',
    nextStep: 'Pay the customer back by a transfer',
  }),
}

export const refusalOfTransfer = (reason: DeclineReason): Answer => TRANSFER_REFUSALS[reason]
export const refusalOfRefund = (reason: DeclineReason): Answer => REFUND_REFUSALS[reason]

const CHARGE_WORDS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'Channel unavailable',
  insufficient_funds: 'Insufficient Funds',
  declined: 'Declined',
  not_approved: 'The customer did not authorize the payment',
  reversed: 'Reversed',
}

const TRANSFER_WORDS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'Destination unavailable',
  insufficient_funds: 'Insufficient balance',
  declined: 'Account blocked',
  not_approved: 'The beneficiary bank rejected the transfer',
  reversed: 'The beneficiary bank returned the transfer',
}

/** The texts of `gateway_response`. */
export function failureOf(operation: MoneyOperation, reason: FailureReason): Failure {
  const words = operation === 'collect' ? CHARGE_WORDS : TRANSFER_WORDS
  return { code: reason, message: words[reason] }
}
