import { conflict, notFound, validationError, type AppError } from '../../../lib/errors.ts'

export const noSuchSimulation = (): AppError => notFound('The simulation')

export const simulationRunning = (): AppError =>
  conflict('A simulation of your organisation is still running. Wait until it has finished.')

export const spanTooOld = (days: number): AppError =>
  validationError(`from: must be at most ${days} days ago`)

export const spanInFuture = (): AppError => validationError('from: must be in the past')
