import { conflict, notFound, type AppError } from '../../lib/errors.ts'

export const noSuchAccount = (): AppError => notFound('The account at this provider')

export const nameOneAccount = (provider: string): AppError =>
  conflict(`There are several active accounts at ${provider}. Name the one to use in account_id.`)

export const accountNotUsable = (message: string): AppError => conflict(`account_id: ${message}`)
