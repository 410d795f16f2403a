import { conflict, type AppError } from '../../../lib/errors.ts'

export const disbursementInProgress = (): AppError =>
  conflict('A disbursement is in progress. Wait until every party has been paid or has failed.')

export const nothingLeft = (): AppError => conflict('The escrow is already canceled and has no money left.')
