import type { Edit } from '../../payments/plant/bugs.ts'
import type { JudgeName } from '../judges/judge.ts'

/** An old hole, opened again in the memory of the programs. */
export type Bug = {
  readonly name: string
  /** The judges that may catch it. */
  readonly expects: readonly JudgeName[]
  readonly edits: readonly Edit[]
}

export const bugs: readonly Bug[] = []
