import { conflict, notFound, validationError, type AppError } from '../../../../lib/errors.ts'

export const noSuchAccount = (): AppError => notFound('The provider account')

export const noSuchWindow = (): AppError => notFound('The maintenance window')

export const windowEnded = (): AppError => validationError('ends_at: must be in the future')

export const tooManyWindows = (limit: number): AppError =>
  conflict(`The account has ${limit} windows that have not ended. Delete one first.`)
