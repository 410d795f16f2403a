import { AppError } from '../../lib/errors.ts'

export const rateDrifted = (why: string): AppError =>
  new AppError('RATE_MISMATCH', 400, `${why} Fetch a new rate and send it as client_rate.`)

export const addressRefused = (): AppError =>
  new AppError(
    'ADDRESS_REFUSED',
    403,
    'Crypto cannot be sent to this wallet_address. Use another one, or ask an administrator.',
  )

/** The texts of the exceptions that are raised for manual review; the amount is appended. */
export const exceptionTexts = {
  ramp_underpaid: {
    summary: 'Less than the whole amount arrived before the ramp expired.',
    suggestedAction: 'Ask the customer for the rest and pay out by hand, or return what arrived.',
  },
  ramp_overpaid: {
    summary: 'More than the amount of the ramp arrived. The ramp goes on with its own amount.',
    suggestedAction: 'Return the surplus to the customer, or agree with them on a second ramp.',
  },
  ramp_paid_late: {
    summary: 'The customer paid after the ramp had ended.',
    suggestedAction: 'Return the money, or start a new ramp at today’s rate and settle it by hand.',
  },
  ramp_not_settled: {
    summary: 'The money was collected, but it could neither be paid out nor returned.',
    suggestedAction: 'Pay it out another way, or return it to an account or address that the customer names.',
  },
  ramp_paid_again: {
    summary: 'The customer sent to the address again after the ramp had received its amount.',
    suggestedAction: 'Return it to the customer, or keep it for them; release it with release-money.',
  },
  ramp_unknown: {
    summary: 'After 24 hours the provider has not said what became of a leg of the ramp. It stays open.',
    suggestedAction:
      'Ask the provider with the reference of the leg, then settle or return the money by hand.',
  },
  ramp_amount_differs: {
    summary:
      'The provider says that a leg of the ramp moved another amount than was asked for. It stays open.',
    suggestedAction: 'Compare with the provider’s statement, then settle or return the money by hand.',
  },
  ramp_reversed: {
    summary:
      'The provider says that a leg which had succeeded failed or was reversed. Nothing was changed here.',
    suggestedAction: 'Compare with the provider’s statement and post a correction if the money went back.',
  },
  ramp_money_after_end: {
    summary: 'The provider reports money for a leg that was given up. Nothing was changed here.',
    suggestedAction: 'Check the provider’s statement and return the money, or credit it by hand.',
  },
} as const

export type RampException = keyof typeof exceptionTexts
