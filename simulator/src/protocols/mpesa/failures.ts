import type { Failure, MoneyOperation } from '../../core/transaction.ts'
import type { FailureReason } from '../../sentinels.ts'

const PUSH: Readonly<Record<FailureReason, readonly [string, string]>> = {
  temporarily_unavailable: ['26', 'System internal error.'],
  insufficient_funds: ['1', 'The balance is insufficient for the transaction.'],
  declined: ['2001', 'The initiator information is invalid.'],
  not_approved: ['1032', 'Request cancelled by user.'],
  reversed: ['1', 'The transaction was reversed.'],
}

const COMMAND: Readonly<Record<FailureReason, readonly [string, string]>> = {
  temporarily_unavailable: ['26', 'Traffic blocking condition in place.'],
  insufficient_funds: ['1', 'The balance is insufficient for the transaction.'],
  declined: ['11', 'The DebitParty is in an invalid state.'],
  not_approved: ['2040', 'Credit Party customer type can’t be supported by the service.'],
  reversed: ['1', 'The transaction was reversed.'],
}

/** Result codes of Daraja. */
export function failureOf(operation: MoneyOperation, reason: FailureReason): Failure {
  const [code, message] = (operation === 'collect' ? PUSH : COMMAND)[reason]
  return { code, message }
}
