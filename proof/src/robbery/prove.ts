import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRobberyInstallation } from './installation.ts'
import type { Violation } from './judges/judge.ts'
import { bugs, type Bug } from './plant/bugs.ts'
import { violationText } from './report.ts'
import { rob } from './run.ts'

type Proof = { readonly bug: string; readonly found: readonly Violation[]; readonly isRight: boolean }

const source = join(import.meta.dirname, '../../../server/src')
const hook = join(import.meta.dirname, '../payments/plant/hook.ts')
const proofSteps = 60
const proofMs = 180_000
const none: Bug = { name: 'none', expects: [], edits: [] }

/**
 * Plants each of the old holes again and shows which judge finds it. Without a bug, none may find anything. `only` takes
 * the bugs whose name has that text, and leaves out the run without a bug.
 */
export async function prove(print: (line: string) => void, only?: string): Promise<Proof[]> {
  await assertPlantable()
  const proofs: Proof[] = []
  for (const bug of only === undefined ? [none, ...bugs] : bugsNamed(only)) {
    const proof = await proveOne(bug)
    print(
      `${proof.isRight ? 'ok    ' : 'FAILED'} ${proof.bug}: ${proof.found.map(violationText)[0] ?? 'nothing found'}`,
    )
    if (!proof.isRight) for (const violation of proof.found) print(`         ${violationText(violation)}`)
    proofs.push(proof)
  }
  return proofs
}

function bugsNamed(part: string): Bug[] {
  const named = bugs.filter(({ name }) => name.includes(part))
  if (named.length === 0) throw new Error(`no planted bug has "${part}" in its name`)
  return named
}

/** Fails early if the source text of a planted bug has changed, because then nothing would be planted. */
export async function assertPlantable(): Promise<void> {
  for (const { file, from } of bugs.flatMap(({ edits }) => edits))
    if (!(await readFile(join(source, file), 'utf8')).includes(from))
      throw new Error(`${file} no longer holds the text that a planted bug replaces: ${from}`)
}

async function proveOne(bug: Bug): Promise<Proof> {
  const installation = await startRobberyInstallation()
  try {
    await Promise.all(installation.programs.map((program) => program.kill()))
    await writeFile(installation.plantedFile, JSON.stringify(bug.edits))
    installation.nodeFlags.push('--import', hook)
    await Promise.all(installation.programs.map((program) => program.start()))
    const { violations } = await rob(installation, {
      steps: proofSteps,
      seed: 1,
      timeLimitMs: proofMs,
      print: () => undefined,
      ...(bug !== none && { onlyFor: bug.expects }),
    })
    const expected = violations.filter(({ judge }) => bug.expects.includes(judge))
    const isRight = bug === none ? violations.length === 0 : expected.length > 0
    return { bug: bug.name, found: [...expected, ...violations], isRight }
  } finally {
    await installation.stop()
  }
}
