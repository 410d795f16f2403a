import type { Mutant } from './find-mutants.ts'

/** A mutant that no test can or should kill, and why. */
export interface ExpectedSurvivor {
  path: string
  /** A piece of the line on which it stands, which tells it from the same code elsewhere. */
  on: string
  from: string
  to: string
  reason: string
}

export const expectedSurvivors: readonly ExpectedSurvivor[] = []

export const isExpected = (
  survivor: ExpectedSurvivor,
  path: string,
  mutant: Pick<Mutant, 'original' | 'replacement'> & { lineText: string },
): boolean =>
  survivor.path === path &&
  survivor.from === mutant.original &&
  survivor.to === mutant.replacement &&
  mutant.lineText.includes(survivor.on)
