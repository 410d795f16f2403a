/** Time is injected, so that a test can hold it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
