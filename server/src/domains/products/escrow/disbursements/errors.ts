import { AppError, conflict } from '../../../../lib/errors.ts'
import { problemTexts } from '../milestones/errors.ts'
import type { SplitProblem } from '../milestones/rules.ts'

export const notFunded = (): AppError =>
  conflict('The milestone is not fully funded. Fund the escrow first; milestones are covered in sequence.')

export const incompleteSplits = (problem: SplitProblem): AppError =>
  conflict(`The milestone cannot be disbursed yet: ${problemTexts[problem]}.`)

export const disbursing = (): AppError =>
  conflict('The milestone is being disbursed. Wait until every party has been paid or has failed.')

export const nothingToRetry = (): AppError =>
  conflict('The remaining shares were paid late by earlier payouts. Cancel the escrow to get the rest back.')

export const paidLate = (): AppError =>
  new AppError(
    'PAID_LATE',
    409,
    'An earlier payout that was reported as failed was completed by its provider.',
  )

/** Texts of the exception raised when a party could not be paid. */
export const exceptionTexts = (partyId: string, failureCode: string | null) => ({
  summary: `Party ${partyId} of an escrow could not be paid (${failureCode ?? 'unknown'}). Its share is still in the escrow.`,
})
