/** Where a process that starts a payment may end, in the order of the money path. */
export const crashPoints = [
  'before_first_commit',
  'after_first_commit',
  'during_the_call',
  'after_the_answer',
  'before_second_commit',
  'after_second_commit',
] as const
export type CrashPoint = (typeof crashPoints)[number]
