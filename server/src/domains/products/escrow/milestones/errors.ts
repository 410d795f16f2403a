import { conflict, validationError, type AppError } from '../../../../lib/errors.ts'
import type { MilestoneStatus, SplitProblem } from './rules.ts'

export const wrongField = (path: string, message: string): AppError =>
  validationError(`${path}: ${message}.`, [{ path, message }])

export const isCanceled = (): AppError => conflict('The escrow is canceled. Create a new one.')

export const wrongStatus = (status: MilestoneStatus, needed: string): AppError =>
  conflict(`The milestone is ${status}; this needs one that is ${needed}.`)

export const tooMuchFunding = (): AppError =>
  conflict('The amount exceeds what the milestones still need. Add milestones first, or fund less.')

export const fundedMore = (): AppError =>
  conflict(
    'The escrow already holds more than that. Keep the amount, or cancel the escrow to get money back.',
  )

export const sequenceTaken = (): AppError =>
  conflict('Another milestone of the escrow has this sequence. Choose another one, or leave it out.')

export const tooMany = (what: string, limit: number): AppError =>
  conflict(`An escrow has at most ${limit} ${what}. Create another escrow.`)

export const problemTexts: Readonly<Record<SplitProblem, string>> = {
  percentages_over_100: 'the percentages of the milestone exceed 100',
  fixed_over_amount: 'the fixed amounts exceed what the milestone disburses',
  percentages_not_100: 'the percentages of the milestone must add up to exactly 100',
  fixed_not_amount:
    'the fixed amounts must add up to what the milestone disburses, unless percentages divide the rest',
}

export const badSplits = (problem: SplitProblem): AppError => wrongField('parties', problemTexts[problem])
