import type { Failure } from '../../core/transaction.ts'
import type { FailureReason } from '../../sentinels.ts'

/** Adyen's refusal reasons by code. */
const REFUSALS: Readonly<Record<string, string>> = {
  2: 'Refused',
  3: 'Referral',
  4: 'Acquirer Error',
  5: 'Blocked Card',
  6: 'Expired Card',
  7: 'Invalid Amount',
  8: 'Invalid Card Number',
  9: 'Issuer Unavailable',
  10: 'Not supported',
  11: '3D Not Authenticated',
  12: 'Not enough balance',
  20: 'FRAUD',
  24: 'CVC Declined',
}

const CODE_OF_REASON: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: '9',
  insufficient_funds: '12',
  declined: '5',
  not_approved: '11',
  reversed: '2',
}

/** The documented holder names of the sandbox. */
const CODE_OF_NAME: Readonly<Record<string, string>> = {
  DECLINED: '2',
  REFERRAL: '3',
  ERROR: '4',
  BLOCK_CARD: '5',
  CARD_EXPIRED: '6',
  INVALID_AMOUNT: '7',
  INVALID_CARD: '8',
  ISSUER_UNAVAILABLE: '9',
  NOT_SUPPORTED: '10',
  NOT_3D_AUTHENTICATED: '11',
  NOT_ENOUGH_BALANCE: '12',
  FRAUD: '20',
  CVC_DECLINED: '24',
}

function refusalOf(code: string): Failure {
  return { code, message: REFUSALS[code] ?? 'Refused' }
}

export const cardFailure = (reason: FailureReason): Failure => refusalOf(CODE_OF_REASON[reason])

export function refusalByName(holderName: string | undefined): Failure | undefined {
  const code = CODE_OF_NAME[holderName ?? '']
  return code === undefined ? undefined : refusalOf(code)
}

const TRANSFER_REASONS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'counterpartyBankUnavailable',
  insufficient_funds: 'notEnoughBalance',
  declined: 'counterpartyAccountNotFound',
  not_approved: 'refusedByCounterpartyBank',
  reversed: 'counterpartyAccountClosed',
}

export const transferFailure = (reason: FailureReason): Failure => ({
  code: TRANSFER_REASONS[reason],
  message: TRANSFER_REASONS[reason],
})
