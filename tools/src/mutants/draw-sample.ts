import { createHash } from 'node:crypto'
import type { ChosenMutants } from './run-trials.ts'

/** Another seed draws other mutants. */
const seed = 'switchyard 1'

/**
 * Draws mutants from all files together. A mutant's place in the order depends only on its code and on its file, so a
 * change of one function leaves the mutants that were drawn elsewhere as they are.
 */
export function drawSample(chosen: readonly ChosenMutants[], size: number): ChosenMutants[] {
  const ranked = chosen.flatMap(({ file, mutants }) => {
    const seen = new Map<string, number>()
    return mutants.map((mutant) => {
      const text = `${mutant.original} => ${mutant.replacement}`
      const count = (seen.get(text) ?? 0) + 1
      seen.set(text, count)
      return { mutant, rank: hashOf(`${seed} ${file.path} ${text} ${count}`) }
    })
  })
  const drawn = new Set(
    ranked
      .toSorted((a, b) => a.rank.localeCompare(b.rank))
      .slice(0, size)
      .map(({ mutant }) => mutant),
  )
  return chosen.map(({ file, mutants }) => ({ file, mutants: mutants.filter((one) => drawn.has(one)) }))
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
