/** The points at which a process may die while it starts a payment, in order. */
export const crashPoints = [
  'before_first_commit',
  'after_first_commit',
  'during_the_call',
  'after_the_answer',
  'before_second_commit',
  'after_second_commit',
] as const
export type CrashPoint = (typeof crashPoints)[number]
