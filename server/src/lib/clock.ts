/** Time is injected, so that a test can control it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
