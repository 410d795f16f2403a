import { conflict, type AppError } from '../../lib/errors.ts'

export const underWay = (): AppError =>
  conflict('A disbursement is under way. Wait until each of its parties is paid or has failed.')

export const nothingLeft = (): AppError =>
  conflict('The escrow is canceled already, and nothing is left in it.')
