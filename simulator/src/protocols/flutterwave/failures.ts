import type { Failure, MoneyOperation } from '../../core/transaction.ts'
import type { FailureReason } from '../../sentinels.ts'

export const DUPLICATE_CHARGE = 'Transaction reference already exist. Try again with a new tx_ref'
export const DUPLICATE_TRANSFER = 'Transfer with this reference already exists'

const CHARGE_WORDS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'This payment method is currently unavailable',
  insufficient_funds: 'Insufficient Funds',
  declined: 'Declined',
  not_approved: 'Transaction was not approved by the customer',
  reversed: 'Reversed',
}

const TRANSFER_WORDS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'Transfers to this destination are currently unavailable',
  insufficient_funds: 'DISBURSE FAILED: Insufficient funds in customer wallet',
  declined: 'DISBURSE FAILED: Invalid account number',
  not_approved: 'DISBURSE FAILED: Rejected by the beneficiary bank',
  reversed: 'DISBURSE FAILED: Returned by the beneficiary bank',
}

/** The texts of `processor_response` and `complete_message`. */
export function failureOf(operation: MoneyOperation, reason: FailureReason): Failure {
  const words = operation === 'collect' ? CHARGE_WORDS : TRANSFER_WORDS
  return { code: reason, message: words[reason] }
}
