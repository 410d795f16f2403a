import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSurvivor } from './report.ts'
import type { ChosenMutants, MutantResult, MutatedFile } from './run-trials.ts'

/** The results of one file, and the hashes of everything that they depend on directly. */
export interface StoredResults {
  /** Of the file and of the runner. */
  code: string
  /** Of each test file. */
  tests: Record<string, string>
  /** The day on which they were tried last. */
  day: string
  results: MutantResult[]
}

/** What is left to try of a file. What its tests import is not looked at. */
interface Left {
  /** Killed by a test that has not changed. */
  killed: readonly MutantResult[]
  changedTests: readonly string[]
  /** The numbers of those that survived all other tests: only the changed ones can kill them. */
  survivors: ReadonlySet<number>
}

const root = join(import.meta.dirname, '../../..')
const runnerFiles = [
  'find-mutants.ts',
  'sql-mutants.ts',
  'instrument.ts',
  'run-trials.ts',
  'trial.ts',
  'repeat-tests.ts',
].map((name) => `tools/src/mutants/${name}`)

const placeOf = ({ path }: MutatedFile): string =>
  join(root, '.cache/mutants', `${path.replaceAll('/', '-')}.json`)

/** What became of the mutants, if nothing has changed since. */
export function readResults(chosen: ChosenMutants): StoredResults | undefined {
  const stored = readStored(chosen.file)
  if (!stored || !isTried(leftOf(chosen, hashesOf(chosen.file), stored), chosen)) return undefined
  const numbers = new Set(chosen.mutants.map(({ number }) => number))
  return { ...stored, results: stored.results.filter(({ number }) => numbers.has(number)) }
}

export const isTried = ({ killed, changedTests, survivors }: Left, { mutants }: ChosenMutants): boolean =>
  killed.length + (changedTests.length === 0 ? survivors.size : 0) === mutants.length

export function readStored(file: MutatedFile): StoredResults | undefined {
  const place = placeOf(file)
  if (!existsSync(place)) return undefined
  // The file is written below and nowhere else.
  return JSON.parse(readFileSync(place, 'utf8')) as StoredResults
}

export function storeResults(file: MutatedFile, stored: StoredResults): void {
  const place = placeOf(file)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, JSON.stringify(stored))
}

/** A mutant that a test has killed stays killed while the code and that test are the same. */
export function leftOf(
  { file, mutants }: ChosenMutants,
  { code, tests }: Pick<StoredResults, 'code' | 'tests'>,
  stored: StoredResults | undefined,
): Left {
  if (stored?.code !== code) return { killed: [], changedTests: file.testFiles, survivors: new Set() }
  const isSame = (path: string): boolean => stored.tests[path] === tests[path]
  const numbers = new Set(mutants.map(({ number }) => number))
  const known = stored.results.filter(({ number }) => numbers.has(number))
  const killers = file.testFiles.filter(isSame)
  return {
    killed: known.filter(
      (one) => !isSurvivor(one) && killers.some((path) => one.killedBy?.startsWith(`${join(root, path)} > `)),
    ),
    changedTests: file.testFiles.filter((path) => !isSame(path)),
    survivors: new Set(known.filter(isSurvivor).map(({ number }) => number)),
  }
}

export const hashesOf = ({ path, testFiles }: MutatedFile): Pick<StoredResults, 'code' | 'tests'> => ({
  code: hashOf(path, ...runnerFiles),
  tests: Object.fromEntries(testFiles.map((name) => [name, hashOf(name)])),
})

function hashOf(...paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(readFileSync(join(root, path)))
  return hash.digest('hex')
}
