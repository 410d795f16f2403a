import { AppError } from '../../../lib/errors.ts'

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
  },
  ramp_overpaid: {
    summary: 'More than the amount of the ramp arrived. The ramp goes on with its own amount.',
  },
  ramp_paid_late: {
    summary: 'The customer paid after the ramp had ended.',
  },
  ramp_not_delivered: {
    summary: 'The money was collected, but it could neither be paid out nor returned.',
  },
  ramp_paid_again: {
    summary: 'The customer sent to the address again after the ramp had received its amount.',
  },
  ramp_unknown: {
    summary: 'After 24 hours the provider has not said what became of a leg of the ramp. It stays open.',
  },
  ramp_amount_differs: {
    summary:
      'The provider says that a leg of the ramp moved another amount than was asked for. It stays open.',
  },
  ramp_reversed: {
    summary:
      'The provider says that a leg which had succeeded failed or was reversed. Nothing was changed here.',
  },
  ramp_money_after_end: {
    summary: 'The provider reports money for a leg that was given up. Nothing was changed here.',
  },
} as const

export type RampException = keyof typeof exceptionTexts
