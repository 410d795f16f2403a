import { conflict, validationError, type AppError } from '../../../lib/errors.ts'
import type { MilestoneStatus, SplitProblem } from './rules.ts'

export const wrongField = (path: string, message: string): AppError =>
  validationError(`${path}: ${message}.`, [{ path, message }])

export const isCanceled = (): AppError => conflict('The escrow is canceled. Create a new one.')

export const wrongStatus = (status: MilestoneStatus, needed: string): AppError =>
  conflict(`The milestone is ${status}; this needs one that is ${needed}.`)

export const tooMuchFunding = (): AppError =>
  conflict('That is more than the milestones still need. Add milestones first, or fund less.')

export const fundedMore = (): AppError =>
  conflict('More than that is in the escrow already. Expect no less, or cancel the escrow to get money back.')

export const sequenceTaken = (): AppError =>
  conflict('Another milestone of the escrow has this sequence. Choose another, or leave it out.')

export const tooMany = (what: string, limit: number): AppError =>
  conflict(`An escrow has at most ${limit} ${what}. Create another escrow.`)

export const problemTexts: Readonly<Record<SplitProblem, string>> = {
  percentages_over_100: 'the percentages of the milestone are over 100',
  fixed_over_amount: 'the fixed amounts are over what the milestone disburses',
  percentages_not_100: 'the percentages of the milestone must be exactly 100 together',
  fixed_not_amount:
    'the fixed amounts must be exactly what the milestone disburses, or percentages share the rest',
}

export const badSplits = (problem: SplitProblem): AppError => wrongField('parties', problemTexts[problem])
