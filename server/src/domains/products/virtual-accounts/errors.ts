import { AppError, conflict } from '../../../lib/errors.ts'

export const providerCannotOpen = (): AppError =>
  new AppError(
    'ALL_PROVIDERS_FAILED',
    502,
    'No provider could open an account at the moment. Nothing was opened here; try again later.',
  )

export const alreadyIs = (status: string): AppError => conflict(`The account is ${status} already.`)
export const isClosed = (): AppError => conflict('The account is closed.')
