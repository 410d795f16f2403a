/** Time is injected, so that a test can control it. */
export interface Clock {
  now(): Date
  /** Milliseconds since any moment, which no correction of the process's clock changes. */
  monotonicMs?(): number
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() }

/** A clock of a test has only one time. */
export const monotonicMs = (clock: Clock): number => clock.monotonicMs?.() ?? clock.now().getTime()
