import { AppError, conflict, notFound } from '../../../lib/errors.ts'

export const noSuchAccount = (): AppError => notFound('The account at this provider')

export const nameOneAccount = (provider: string): AppError =>
  conflict(`There are several active accounts at ${provider}. Name the one to use in account_id.`)

export const accountNotUsable = (message: string): AppError => conflict(`account_id: ${message}`)

export const bookTransferNotAllowed = (): AppError =>
  new AppError(
    'ROUTING_CONFIG_NOT_FOUND',
    422,
    'No active provider configuration for wallet allows a book transfer of this amount in your country.',
  )
