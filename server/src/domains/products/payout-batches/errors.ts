import { AppError, conflict, forbidden, validationError } from '../../../lib/errors.ts'
import type { CheckedRows } from './record.ts'
import type { BatchStatus } from './rules.ts'

export const invalidRows = ({ errors, errorCount, wrongRows }: CheckedRows): AppError => {
  const listed =
    errors.length < errorCount ? ` The first ${errors.length} of ${errorCount} errors are listed.` : ''
  return validationError(
    `${wrongRows} of the rows cannot be paid, so nothing was stored. Correct them and send the batch again.${listed}`,
    errors.map(({ row, field, message }) => ({ path: `row ${row}: ${field}`, message })),
  )
}

export const duplicateBatch = (batchId: string): AppError =>
  new AppError(
    'DUPLICATE_BATCH',
    409,
    `The batch ${batchId} of the last 24 hours has the same rows, so nothing was stored. Send allow_duplicate=true if everybody in it is to be paid again.`,
  )

export const wrongStatus = (status: BatchStatus, wanted: string): AppError =>
  conflict(`The batch is ${status}, so it cannot be ${wanted}.`)

export const nothingToCancel = (): AppError =>
  conflict('Every row of the batch has been sent. Cancel single payments where their providers still can.')

export const ownBatch = (): AppError =>
  forbidden('You cannot review a batch that you created. Cancel it if it is wrong.')

export const administratorsApprove = (): AppError =>
  forbidden('The second approval of a batch is an org-admin’s to give.')

export const reviewedAlready = (): AppError =>
  conflict('You have already approved this batch. Another org-admin has to approve it, too.')

export const reviewedMeanwhile = (): AppError =>
  conflict('Somebody else has approved this batch at the same moment. Read it, and decide again.')

export const beneficiaryChanged = (): AppError =>
  new AppError(
    'BENEFICIARY_CHANGED',
    409,
    'The beneficiary was changed after the batch was created. Pay it in a new batch.',
  )
