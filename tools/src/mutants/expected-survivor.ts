/** A mutant that no test can or should kill, and why. */
export interface ExpectedSurvivor {
  path: string
  /** A piece of the line on which it stands, which tells it from the same code elsewhere. */
  on: string
  from: string
  to: string
  reason: string
}
