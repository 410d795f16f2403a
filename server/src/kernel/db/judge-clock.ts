/** `database`: no process agrees with the database, so it is the database whose clock is wrong. */
export type ClockVerdict = 'right' | 'wrong' | 'database'

/** How far each clock is ahead of the database's, or behind it if negative. */
export function judgeClock(
  skews: { ownMs: number; othersMs: readonly number[] },
  limitMs: number,
): ClockVerdict {
  const agrees = (skewMs: number): boolean => Math.abs(skewMs) <= limitMs
  if (agrees(skews.ownMs)) return 'right'
  return skews.othersMs.some(agrees) ? 'wrong' : 'database'
}
